"""Logs and Prometheus metrics for the operator of a site."""
