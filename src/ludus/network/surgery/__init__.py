"""Surgery: the weights of one network made into the beginning of another."""

from ludus.network.surgery.checks import check_start
from ludus.network.surgery.warm_start import WarmStart, warm_start

__all__ = ["WarmStart", "check_start", "warm_start"]
