"""Terminal output and input: the screen, interrupts, drawn boards, and options that several commands share."""
