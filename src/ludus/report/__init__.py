"""Reports of runs as one HTML page that needs neither server nor network, and the pictures of `ludus show`."""
