"""Device tokens: what an enrolled device sends in place of the license key, which it never sees."""

import hashlib
import re
import secrets
from typing import NamedTuple
from uuid import UUID

from licet_server.licenses.rules.keys import normal_form
from licet_server.licenses.rules.model import LicenseKeyOf

_PREFIX = "dt_"
_SYMBOLS = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 40
_FORM = re.compile(rf"{_PREFIX}[{_SYMBOLS}]{{{_LENGTH}}}")


class DeviceTokenOf(NamedTuple):
    """Institution, product, a token, and the hardware ID of the device that sends it."""

    institution_id: UUID
    product_id: UUID
    token: str
    hardware_id: str

    @property
    def digest(self) -> bytes:
        """The hash to look it up by: that of another device is never found."""
        return hashlib.sha256(f"{self.token}\n{self.hardware_id}".encode()).digest()


def new_token() -> str:
    """Return a new token of 200 random bits."""
    symbols = (_SYMBOLS[byte & 31] for byte in secrets.token_bytes(_LENGTH))
    return _PREFIX + "".join(symbols)


def is_token(text: str) -> bool:
    """Return whether a text in place of a license key is a device token."""
    return text.startswith(_PREFIX) and _FORM.fullmatch(text) is not None


def sought(
    institution_id: UUID, product_id: UUID, license_key: str, hardware_id: str | None
) -> LicenseKeyOf | DeviceTokenOf | None:
    """Return what identifies the license of a request; `None` for a text that is no key.

    A token without its device is none either.
    """
    if is_token(license_key):
        if hardware_id is None:
            return None
        return DeviceTokenOf(institution_id, product_id, license_key, hardware_id)
    normal_key = normal_form(license_key)
    return None if normal_key is None else (institution_id, product_id, normal_key)
