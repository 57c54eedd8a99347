"""Commands that make models: estimate, train and inspect runs; tune, enlarge, pack and export models."""
