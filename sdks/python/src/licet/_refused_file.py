"""A signed refusal in the place of license.bin, so that a machine without a server knows it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from licet._disk import write_license
from licet._jose import RejectedTokenError, is_protected
from licet._kept import is_verdict
from licet._keys import key_hash
from licet._state import with_replaced_file
from licet._status import LicenseValidationStatus
from licet._verdict import Verdict
from licet.errors import LicenseFileError

if TYPE_CHECKING:
    from licet._core import LicenseCore

_log = logging.getLogger("licet")

Status = LicenseValidationStatus
# These are about the license wherever it is used; the others about this machine or its user.
_LICENSE_REFUSALS = frozenset(
    {Status.LicenseNotFound, Status.Expired, Status.Revoked, Status.Suspended, Status.Unknown}
)
_USER_REFUSALS = frozenset({Status.CredentialsRequired, Status.CredentialsInvalid})


def replace_refused(core: LicenseCore, verdict: Verdict, key: str, token: str) -> None:
    """Put a refusal in the place of the license.bin that it is about."""
    path = core.config.file_of(key)
    try:
        text = core.read_file()
        if text is None or not _is_refused(core, text, verdict, key):
            return
        core.store.update(
            lambda old: with_replaced_file(
                old,
                None if core.normal_key is not None else key,
                protected=is_protected(text) or (is_verdict(text) and old.protects_file),
            )
        )
        write_license(path, token.encode("ascii"))
    except (LicenseFileError, OSError) as error:
        _log.warning("the refusal was not stored in the place of %s: %s", path.name, error)


def _is_refused(core: LicenseCore, text: str, verdict: Verdict, key: str) -> bool:
    """Whether a refusal is about this license.bin, and is newer.

    A refusal of one machine replaces only a file for machines: others may share any other.
    """
    if is_verdict(text):
        kept = core.kept_verdict(text)
        return kept is not None and kept.key_hash == key_hash(key)
    try:
        file = core.open_file(text, key)
    except RejectedTokenError:
        return False
    if file.normal_key != key:
        return False
    if file.issued_at > verdict.issued_at and not file.license.test:
        return False
    if verdict.status in _USER_REFUSALS:
        return False
    return verdict.status in _LICENSE_REFUSALS or bool(file.hardware_ids)
