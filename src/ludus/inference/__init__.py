"""Inference servers: networks that engines on other machines query by the Open Inference Protocol."""
