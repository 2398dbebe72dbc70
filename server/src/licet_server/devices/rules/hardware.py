"""The kinds of hardware IDs, and which of them a product accepts."""

import re
from collections.abc import Mapping

from licet_server.catalog.rules.model import ProductSettings
from licet_server.devices import errors
from licet_server.kit.errors import Refused, bad_field
from licet_server.licenses.rules.model import License, LicenseTerms

_OF_AN_SDK = re.compile(r"h\d+([a-z])-[0-9a-f]*", re.IGNORECASE)
_AS_SDKS_SEND_IT = re.compile(r"h1[a-z]-[0-9a-f]{40}|h(?!1[a-z])\d+[a-z]-[0-9a-f]+")

_SHARED: Mapping[str, str] = {
    "j": "that of a CI project, which all its jobs share",
    "c": "that of a container image, which all its containers share",
    "n": "made of a host name, which anyone can choose",
    "m": "that of an operating system",
    "s": "a random one in a file, which can be copied",
    "b": "that of a browser",
}
_NOT_FOR_ONE_MACHINE = {"j", "n"}
"""By default, a license for one machine does not accept these: it would travel with them."""


_OF_MANY = {"j", "c"}
"""What has these IDs are many machines, each with a key of its own."""


def kind_of(hardware_id: str) -> str | None:
    """Return the letter of a hardware ID that an SDK made; `None` for one of an application."""
    found = _OF_AN_SDK.fullmatch(hardware_id.strip())
    return found[1].lower() if found else None


def is_whole(hardware_id: str) -> bool:
    """Check that a hardware ID is not one of an SDK that was cut or changed: no machine has it."""
    return kind_of(hardware_id) is None or _AS_SDKS_SEND_IT.fullmatch(hardware_id) is not None


def is_of_many(hardware_id: str) -> bool:
    """Check that a hardware ID belongs to many machines, such as the jobs of a CI project."""
    return kind_of(hardware_id) in _OF_MANY


def require_whole(hardware_id: str | None) -> None:
    """Check that a hardware ID that a person typed, if any, is whole.

    Raises:
        Refused: `InvalidRequest`.
    """
    if hardware_id is not None and not is_whole(hardware_id):
        raise bad_field(
            "hardwareId",
            "must be the whole ID that the application shows: after the dash, 40 digits and "
            "lower-case letters.",
        )


def refusal_of_kind(
    settings: ProductSettings, license_: License | LicenseTerms, hardware_id: str | None
) -> Refused | None:
    """Return why the product does not accept the hardware ID for the license, if it does not.

    IDs that an application chose itself have no kind, and are accepted.
    """
    kind = kind_of(hardware_id) if hardware_id is not None else None
    if kind is None or _is_accepted(settings, license_, kind):
        return None
    return errors.hardware_id_not_accepted(_SHARED.get(kind, "of another kind"))


def _is_accepted(settings: ProductSettings, license_: License | LicenseTerms, kind: str) -> bool:
    if settings.hardware_id_kinds is not None:
        return kind in settings.hardware_id_kinds
    return not (license_.traits.is_node_locked and kind in _NOT_FOR_ONE_MACHINE)


def require_accepted(
    settings: ProductSettings, license_: License | LicenseTerms, hardware_id: str | None
) -> None:
    """Check that the product accepts the hardware ID for the license.

    Raises:
        Refused: `HardwareIdNotAccepted`.
    """
    refused = refusal_of_kind(settings, license_, hardware_id)
    if refused is not None:
        raise refused
