"""Inference servers: networks on a machine of their own, asked by engines on others (Open Inference Protocol)."""
