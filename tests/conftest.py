"""What holds for all tests: no property is judged by how long an example took, for machines are busy."""

from hypothesis import settings

settings.register_profile("ludus", deadline=None)
settings.load_profile("ludus")
