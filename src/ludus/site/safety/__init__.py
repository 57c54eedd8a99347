"""Protection from strangers: origins, rate limits, connection limits, queues, secrets, security headers."""
