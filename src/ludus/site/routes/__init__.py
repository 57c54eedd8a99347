"""The site's HTTP routes and websockets."""
