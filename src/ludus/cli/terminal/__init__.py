"""How commands speak with a terminal: the screen, interrupts, drawn boards, and options that several share."""
