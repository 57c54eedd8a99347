"""Networks: what is trained, how it is stored, and who evaluates it."""
