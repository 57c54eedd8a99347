"""Signed texts for cookies of guests and devices, and the rotating keys that sign them, in a file of the data folder.

When the newest key is older than ROTATE_DAYS, a new one replaces it for signing.  Old keys verify their signatures
until these expire.
"""

import base64
import hashlib
import hmac
import logging
import secrets
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from ludus.errors import BadRecord, Unavailable
from ludus.files import write_atomically

_log = logging.getLogger(__name__)

ROTATE_DAYS = 90.0
LASTING_DAYS = 366.0
"""Days until a signature expires."""
AGAIN_S = 60.0
"""Seconds until the next attempt after a new key could not be written; the old key signs meanwhile."""
DAY_S = 86_400.0
MAX_CHARS = 400


class _Key(msgspec.Struct, frozen=True):
    id: str
    secret: str
    """32 bytes in hexadecimal."""
    made: float
    """Seconds since 1970."""


class _Keys(msgspec.Struct, frozen=True):
    keys: list[_Key]
    """Newest first."""


class Signed(msgspec.Struct, frozen=True):
    """A text whose signature was verified."""

    text: str
    fresh: bool
    """Whether the newest key signed it recently; if not, the text should be signed again."""


class Signer:
    """A signer of short texts, which also verifies its signatures."""

    def __init__(self, file: Path | None, clock: Callable[[], float] = time.time) -> None:
        """Read the keys, or create the first key.

        Args:
            file: the file of keys; None: keep them only in memory.
            clock: returns seconds since 1970.

        Raises:
            BadRecord: the file of keys is damaged.
            Unavailable: the file of keys cannot be read or written.
        """
        self._file = file
        self._clock = clock
        self._keys = _read(file) if file and file.exists() else []
        self._not_before = 0.0
        self._renew()

    def sign(self, text: str, purpose: str = "guest") -> str:
        """Return a text with its signature, encoded for a cookie; only `read` with the same purpose accepts it."""
        self._renew()
        key = self._keys[0]
        body = f"{key.id}.{int(self._clock()):x}.{_encoded(text.encode())}"
        return f"{body}.{_mac(key, body, purpose)}"

    def read(self, signed: str, purpose: str = "guest") -> Signed | None:
        """Verify a signed text and return it; None if the signature is wrong or has expired."""
        self._renew()
        body, _, mac = signed[:MAX_CHARS].rpartition(".")
        parts = body.split(".")
        key = next((key for key in self._keys if key.id == parts[0]), None)
        if key is None or not hmac.compare_digest(_mac(key, body, purpose).encode(), mac.encode()):
            return None
        _, at, text = parts  # the signature is right, so `sign` made these three parts
        age_days = (self._clock() - int(at, 16)) / DAY_S
        if age_days > LASTING_DAYS:
            return None
        fresh = key is self._keys[0] and age_days < ROTATE_DAYS / 2
        return Signed(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode(), fresh)

    def _renew(self) -> None:
        """Create a new key if the newest is too old, and drop keys whose signatures have all expired."""
        now = self._clock()
        if self._keys and (now - self._keys[0].made < ROTATE_DAYS * DAY_S or now < self._not_before):
            return
        lasting = (ROTATE_DAYS + LASTING_DAYS) * DAY_S
        kept = [key for key in self._keys if now - key.made < lasting]
        keys = [_Key(secrets.token_hex(4), secrets.token_hex(32), now), *kept]
        if self._file:
            try:
                _write(self._file, _Keys(keys))
            except (OSError, Unavailable) as error:
                if not self._keys:
                    raise
                _log.error("The new key for guests' cookies cannot be stored, so the old one stays in use: %s", error)
                self._not_before = now + AGAIN_S
                return
        self._keys = keys


def _read(file: Path) -> list[_Key]:
    try:
        keys = msgspec.json.decode(file.read_bytes(), type=_Keys).keys
        assert all(len(bytes.fromhex(key.secret)) == hashlib.sha256().digest_size for key in keys), "keys have 32 bytes"
    except OSError as error:
        raise Unavailable(f"{file}: cannot be read ({error.strerror}).") from error
    except (msgspec.MsgspecError, ValueError, AssertionError) as error:
        raise BadRecord(
            f"{file}: the file is damaged; restore it, or delete it so that guests get new names."
        ) from error
    return keys


def _write(file: Path, keys: _Keys) -> None:
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # other users of the machine must not read the keys
    except OSError as error:
        raise Unavailable(f"{file.parent}: cannot be created ({error.strerror}).") from error
    write_atomically(file, msgspec.json.encode(keys))
    file.chmod(0o600)


def _mac(key: _Key, body: str, purpose: str) -> str:
    return _encoded(hmac.digest(bytes.fromhex(key.secret), f"ludus {purpose}\0{body}".encode(), "sha256"))


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
