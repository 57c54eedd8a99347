"""What holds for all tests: properties see the same examples each time, and none is judged by how long one took.

So that a change is judged by what it changes; `make fuzz` looks for what these examples do not show.
"""

from hypothesis import settings

settings.register_profile("ludus", deadline=None, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=1000)
settings.load_profile("ludus")
