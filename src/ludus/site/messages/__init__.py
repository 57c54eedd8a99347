"""Models of all messages between the site and its page: HTTP bodies and socket messages."""
