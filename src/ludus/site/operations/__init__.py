"""What whoever runs a site needs to see: logs, figures, and whether it is well."""
