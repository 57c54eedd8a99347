"""What keeps a site in order among strangers: whose pages may speak, how often, how much; what browsers are told."""
