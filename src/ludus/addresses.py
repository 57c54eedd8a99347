"""Addresses of servers: how they are written, and how programs on the same machine reach them."""

from socket import gethostname


def address_of(host: str, port: int) -> str:
    """Return `host:port`, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"


def place_of(host: str, port: int) -> str:
    """Return the URLs of a site that listens on `host`, as text for the operator.

    A site that listens on all interfaces has two: one for this machine, one for other machines.
    """
    own = f"http://{address_of(reached_at(host), port)}"
    return own if reached_at(host) == host else f"{own} and, from elsewhere, http://{gethostname()}:{port}"


def reached_at(host: str) -> str:
    """Return the host to connect to from this machine: the loopback address if `host` means all interfaces."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
