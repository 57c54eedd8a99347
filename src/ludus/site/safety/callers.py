"""Where a request or a socket comes from, as limits count addresses."""

from starlette.requests import HTTPConnection

from ludus.site.safety.limits import neighbourhood


def address_of(connection: HTTPConnection) -> str:
    """Return whose it is: what counts as one address; "" where a server does not say."""
    return neighbourhood(connection.client.host) if connection.client else ""
