"""Random tokens, which the site stores only as hashes; 256 random bits need no slow password hash."""

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection


def new_secret(prefix: str = "") -> str:
    """Return a random token of 256 bits; the prefix shows its purpose."""
    return prefix + secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Return the SHA-256 of a text in hexadecimal."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def public_key(person: str) -> str:
    """Return the key by which other people refer to a person; it does not tell the person's id."""
    return hash_of(f"person {person}")[:16]


def is_same(secret: str, kept: str) -> bool:
    """Return whether `kept` is the hash of `secret`; compares in constant time."""
    return hmac.compare_digest(hash_of(secret), kept)


def bearer_token(connection: "HTTPConnection") -> str | None:
    """Return the bearer token of the Authorization header; None if there is none."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else None
