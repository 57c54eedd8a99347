"""Secrets that the site gives away and keeps only a hash of: 256 random bits, so that a plain hash is enough."""

import hashlib
import hmac
import secrets


def new_secret(prefix: str = "") -> str:
    """Return a secret nobody can guess; the prefix says what it is for, where people may come across it."""
    return prefix + secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Return what is kept of a secret, or of any text that is given for one: its SHA-256 in hexadecimal."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def is_same(secret: str, kept: str) -> bool:
    """Return whether a hash is that of this secret, in a time that tells nothing of it."""
    return hmac.compare_digest(hash_of(secret), kept)
