"""Network surgery: convert the weights of one network into a starting point for another."""

from ludus.network.surgery.checks import check_start
from ludus.network.surgery.warm_start import WarmStart, warm_start

__all__ = ["WarmStart", "check_start", "warm_start"]
