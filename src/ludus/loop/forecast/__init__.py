"""Forecasts of a run's duration: measured before the start, and extrapolated from finished generations."""
