"""What goes over the wire between site and page, as declared models."""
