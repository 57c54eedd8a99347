"""Where players meet: fair matches of many games at once, and the table of who did what to whom."""
