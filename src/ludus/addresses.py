"""Where a server listens, as people write it."""


def address_of(host: str, port: int) -> str:
    """Return `host:port`, with brackets around a host of IPv6, whose colons are not the port's."""
    return f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"


def reached_at(host: str) -> str:
    """Return the host at which this machine's own programs reach one that listens on `host`, which may be all of it."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
