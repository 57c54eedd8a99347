"""Protection against abuse: origin checks, rate limits, connection limits, queues, secrets, security headers."""
