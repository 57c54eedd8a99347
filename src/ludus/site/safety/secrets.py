"""Secrets that the site gives out and stores only as hashes: with 256 random bits, a plain hash is enough."""

import hashlib
import hmac
import secrets

from starlette.requests import HTTPConnection


def new_secret(prefix: str = "") -> str:
    """Return a random secret; the prefix tells people what it is for."""
    return prefix + secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Return the SHA-256 of a text in hexadecimal."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def is_same(secret: str, kept: str) -> bool:
    """Return whether a hash is that of this secret, in constant time."""
    return hmac.compare_digest(hash_of(secret), kept)


def bearer_token(connection: HTTPConnection) -> str | None:
    """Return the token that a program shows in the Authorization header."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else None
