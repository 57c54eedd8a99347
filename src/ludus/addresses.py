"""Where a server listens, as people write it."""

from socket import gethostname


def address_of(host: str, port: int) -> str:
    """Return `host:port`, with brackets around a host of IPv6, whose colons are not the port's."""
    return f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"


def place_of(host: str, port: int) -> str:
    """Return where people find a site that listens on `host`: if that is all of the machine, by its name, too."""
    own = f"http://{address_of(reached_at(host), port)}"
    return own if reached_at(host) == host else f"{own} and, from elsewhere, http://{gethostname()}:{port}"


def reached_at(host: str) -> str:
    """Return the host at which this machine's own programs reach one that listens on `host`, which may be all of it."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
