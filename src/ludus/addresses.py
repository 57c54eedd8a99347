"""Where a server listens, as people write it."""


def address_of(host: str, port: int) -> str:
    """Return `host:port`, with brackets around a host of IPv6, whose colons are not the port's."""
    return f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"
