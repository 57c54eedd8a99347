"""Which pages may open sockets here: browsers name a page's origin, and no framework checks it for websockets."""

from collections.abc import Collection
from urllib.parse import urlsplit


def is_welcome(origin: str | None, host: str | None, allowed: Collection[str]) -> bool:
    """Return whether a request comes from this site's own page, an allowed one, or a program that is no browser.

    Args:
        origin: the Origin header; programs send none.
        host: the Host header.
        allowed: further origins, exactly as browsers write them.
    """
    if origin is None or origin in allowed:
        return True
    if host is None:
        return False
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False
