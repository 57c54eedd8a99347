"""How long a run will take: measured before it begins, and by what it has done so far."""
