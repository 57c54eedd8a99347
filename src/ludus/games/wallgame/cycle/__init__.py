"""Animal-cycle, the variant of the Wall Game in which each of four animals hunts the next one.

Its states have the bits of the other variants, but its rules and planes are compiled by themselves: a pawn step may end
the game at once, teammates block each other, and there are jumps.
"""
