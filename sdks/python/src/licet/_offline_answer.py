"""Typed codes: what they say, and the base file that one of them completes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from licet._claims import LicenseFile, is_base_file
from licet._code_letters import read_code
from licet._disk import read_installed, read_license
from licet._jose import MAX_TOKEN_BYTES, RejectedTokenError
from licet._keys import key_hash
from licet.errors import OfflineCodeError

if TYPE_CHECKING:
    from licet._core import LicenseCore

VERSION = 1
HEAD_BYTES = 4
_ANSWER, _RELEASE = "licet-answer-code", "licet-release-code"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_DAY = (datetime.max.replace(tzinfo=UTC) - _EPOCH).days - 1


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose codes these are: a product, a license and a device."""

    product_id: str
    normal_key: str
    hardware_id: str
    jkt: str

    def answer_lines(self, nonce: str, base: str, end_day: int) -> Sequence[str]:
        """What the product signs for a code."""
        return (_ANSWER, *self._lines(), nonce, base, str(end_day))

    def release_lines(self, file: str, seq: int) -> Sequence[str]:
        """What the device signs for a release code."""
        return (_RELEASE, *self._lines(), file, str(seq))

    def _lines(self) -> Sequence[str]:
        return (self.product_id, key_hash(self.normal_key), self.hardware_id, self.jkt)


def holder_of(core: LicenseCore, normal_key: str | None) -> Holder | None:
    """Whose codes this device takes; ``None`` without a license key or a key of its own."""
    device_key = core.device_key.find()
    if normal_key is None or device_key is None:
        return None
    return Holder(core.config.product_id, normal_key, core.hardware_id, device_key.jkt)


def end_of_code(text: str, base: LicenseFile, nonce: str, holder: Holder) -> int | None:
    """The last day of a code since 1970-01-01; ``None`` if it was not signed for this.

    Raises:
        OfflineCodeError: A group has a mistake.
    """
    raw = read_code(text)
    if raw is None or raw[0] != VERSION or base.code_key is None or base.token_id is None:
        return None
    day = int.from_bytes(raw[1:HEAD_BYTES])
    lines = holder.answer_lines(nonce, base.token_id, day)
    return day if base.code_key.has_signed(lines, raw[HEAD_BYTES:]) else None


def completed(core: LicenseCore, file: LicenseFile) -> LicenseFile:
    """A base file with what the code says that this device has taken for it."""
    if file.code_key is None:
        return file
    code, holder = core.offline.read().code, holder_of(core, file.normal_key)
    if code is None or holder is None or code.base != file.token_id:
        return file
    try:
        day = end_of_code(code.code, file, code.nonce, holder)
    except OfflineCodeError:
        return file
    if day is None:
        return file
    ends = _EPOCH + timedelta(days=min(day, _LAST_DAY) + 1)
    refresh_by = ends if file.refresh_by is None else min(ends, file.refresh_by)
    return replace(file, hardware_ids=(core.hardware_id,), jkt=holder.jkt, refresh_by=refresh_by)


def released_seq(core: LicenseCore, file: LicenseFile) -> int:
    """Up to which number this device has released its files, if the file is one of those."""
    released = None if file.request is None else core.offline.read().released
    return 0 if released is None else released.seq


def is_idle(core: LicenseCore, file: LicenseFile) -> bool:
    """Whether a file is released, or a base file without its code."""
    if file.request is not None:
        return file.request.seq <= released_seq(core, file)
    return file.code_key is not None and not completed(core, file).hardware_ids


def find_base(core: LicenseCore, normal_key: str) -> tuple[str, LicenseFile] | None:
    """The newest base file of a license key and its text; ``None`` if there is none."""
    config = core.config
    for path in config.places.newest_first(config.place_key):
        own = path in {config.places.license_file, config.file_of(normal_key)}
        try:
            raw = (read_license if own else read_installed)(path, MAX_TOKEN_BYTES)
            text = (raw or b"").decode("ascii", "replace")
            file = core.open_file(text, normal_key) if is_base_file(text) else None
        except (OSError, RejectedTokenError):
            continue
        if file is not None and file.normal_key == normal_key:
            return text, file
    return None
