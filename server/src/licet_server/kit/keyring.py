"""Secrets that must be recoverable: encrypted under a master key outside the database.

A sealed value is `1 | key id (8 bytes) | nonce (12 bytes) | AES-256-GCM ciphertext and tag`, bound
to its storage location (`place` is the associated data), so a value copied to another row cannot be
opened. The first key of the ring seals and every key opens, which makes rotation possible.
"""

import base64
import hashlib
import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from licet_server.kit.settings import MASTER_KEY_BYTES, Settings, parse_master_key

_VERSION = b"\x01"
_KEY_ID_BYTES = 8
_NONCE_BYTES = 12
_HEADER_BYTES = 1 + _KEY_ID_BYTES + _NONCE_BYTES


class CannotOpen(Exception):
    """A sealed value cannot be opened: its master key is missing, or it was altered or moved."""


class MasterKeyMissing(Exception):
    """There is no master key, neither in the settings nor in the key file."""


class Keyring:
    """Master keys, newest first. Seals and signs with the first, opens with any.

    `reload` is called before sealing and signing, and when a value names an unknown key, because
    another process may have rotated the keys.
    """

    def __init__(
        self, keys: Sequence[bytes], reload: Callable[[], Sequence[bytes]] | None = None
    ) -> None:
        self._reload = reload
        self._adopt(keys)

    def _adopt(self, keys: Sequence[bytes]) -> None:
        self._ciphers = {key_id(key): AESGCM(key) for key in keys}
        self._keys = tuple(keys)
        self._derived: dict[str, bytes] = {}

    def seal(self, secret: bytes, place: str) -> bytes:
        """Encrypt `secret` for storage at `place`, for example `product_keys.secret:<id>`."""
        self._take_up_rotation()
        nonce = secrets.token_bytes(_NONCE_BYTES)
        current = key_id(self._keys[0])
        sealed = self._ciphers[current].encrypt(nonce, secret, place.encode())
        return _VERSION + current + nonce + sealed

    def open(self, sealed: bytes, place: str) -> bytes:
        """Open the secret that was sealed for `place`.

        Raises:
            CannotOpen: unknown master key, altered bytes, or sealed for another place.
        """
        wanted = sealed[1 : 1 + _KEY_ID_BYTES]
        if wanted not in self._ciphers:
            self._take_up_rotation()
        cipher = self._ciphers.get(wanted)
        if sealed[:1] != _VERSION or cipher is None:
            raise CannotOpen("The master key for a stored secret is missing.")
        nonce = sealed[1 + _KEY_ID_BYTES : _HEADER_BYTES]
        try:
            return cipher.decrypt(nonce, sealed[_HEADER_BYTES:], place.encode())
        except (InvalidTag, ValueError):  # the latter for bytes that are cut off
            raise CannotOpen("A stored secret was altered or moved.") from None

    def reveal(self, sealed: bytes, place: str) -> str | None:
        """Open what is shown to people; `None` for what no key opens, so that the rest is shown."""
        try:
            return self.open(sealed, place).decode()
        except CannotOpen:
            return None

    def is_current(self, sealed: bytes) -> bool:
        """Return whether the newest key sealed this value, so that rotation can skip it."""
        return sealed[1 : 1 + _KEY_ID_BYTES] == key_id(self._keys[0])

    def derive(self, purpose: str) -> bytes:
        """Derive the 32-byte key for `purpose` from the newest master key (HKDF-SHA256).

        What an older key has signed is not valid any more: that key may have leaked.
        """
        self._take_up_rotation()
        derived = self._derived.get(purpose)
        if derived is None:
            derived = self._derived[purpose] = derive(self._keys[0], purpose)
        return derived

    def _take_up_rotation(self) -> None:
        if self._reload is not None and (keys := tuple(self._reload())) != self._keys:
            self._adopt(keys)


def key_id(key: bytes) -> bytes:
    """Return the ID of a master key, which does not reveal the key."""
    return hashlib.sha256(b"licet/master-key-id/v1" + key).digest()[:_KEY_ID_BYTES]


def derive(key: bytes, purpose: str) -> bytes:
    """Derive a 32-byte key for `purpose` (HKDF-SHA256, no salt, the purpose as info)."""
    info = f"licet/{purpose}/v1".encode()
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(key)


def new_master_key() -> bytes:
    """Return 32 random bytes."""
    return secrets.token_bytes(MASTER_KEY_BYTES)


def load_keyring(settings: Settings) -> Keyring:
    """Load the keys from the settings, or else from the key file in the data folder.

    The file holds one base64 key per line, newest first.

    Raises:
        MasterKeyMissing: when there is neither.
    """
    if settings.master_keys:
        return Keyring(settings.master_keys)
    path = settings.key_file
    if not path.exists():
        raise MasterKeyMissing(
            f"The master key is missing: there is no file {path}. Put it back, or set "
            "LICET_MASTER_KEY."
        )
    file = _KeyFile(path)
    return Keyring(file.read(), reload=file.read)


class _KeyFile:
    """Reads the key file again only after it was replaced, because every request asks for it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._version: tuple[int, int] | None = None
        self._keys: tuple[bytes, ...] = ()

    def read(self) -> tuple[bytes, ...]:
        status = self._path.stat()
        version = status.st_ino, status.st_mtime_ns
        if version != self._version:
            self._keys, self._version = read_key_file(self._path), version
        return self._keys


def create_key_file(path: Path) -> None:
    """Create the file with a new key, with mode 0600, unless it exists.

    A complete file is linked into place, so that of two concurrent first starts only one wins.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    write_key_file(draft, [new_master_key()])
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def read_key_file(path: Path) -> tuple[bytes, ...]:
    """Read the keys in the file, newest first."""
    lines = path.read_text().split()
    return tuple(parse_master_key(f"The file {path.name}", line) for line in lines)


def write_key_file(path: Path, keys: Sequence[bytes]) -> None:
    """Replace the file atomically and durably, readable only by its owner, who stays the same.

    A service that was started as root reads it as another user.
    """
    draft = path.with_name(f".{path.name}.new.{os.getpid()}")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.writelines(base64.b64encode(key).decode() + "\n" for key in keys)
        file.flush()
        if path.exists() and os.geteuid() == 0:
            owner = path.stat()
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        os.fsync(file.fileno())
    draft.replace(path)
