"""What the operator of a site needs to see: logs, figures, and health."""
