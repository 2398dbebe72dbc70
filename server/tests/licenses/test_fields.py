"""Each field of a license and of a policy is in every place that has fields, or says why not.

After a field is added, this test names the places that lack it.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from licet_server.as_code import schemas as as_code
from licet_server.importing.rules.tables import COLUMNS
from licet_server.kit.text import camel
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import Policy
from licet_server.licenses.schemas.policies import PolicyBody, PolicyChange, PolicyView
from licet_server.licenses.schemas.records import IssueLicenseBody, LicenseChange, LicenseView
from licet_server.licenses.service.events import UNRECORDED

DASHBOARD = Path(__file__).parents[3] / "dashboard" / "src"
SHARED = {
    "ownTextFieldsOf": r'\{ name: "(\w+)"',
    "ui/terms/terms": r"^  (\w+): \{$",
}
"""What a form imports that others have, too, and how its fields are found where it stands."""
SHARED_TEXT = "".join(
    (DASHBOARD / path).read_text() for path in ("licenses/fields.tsx", "ui/terms/terms.ts")
)

SYSTEM = "the service sets it"
SECRET = "a secret"
NEVER_CHANGES = "it is the same for as long as the license lives"
BY_ROUTE = "it has a route of its own"
BY_PRODUCT = "an import is into one product, and the newest release of it"
NOT_EXPORTED = "no product exports it"
PAID_FOR = "what was paid for; a conversion or the meter changes it"
BY_SELF = "it follows from another field"


def draft(path: str) -> set[str]:
    """The fields of the form in a file, with those that it shares with others."""
    text = (DASHBOARD / path).read_text()
    blocks = re.findall(
        r"(?:fieldsOf\(|interface \w*Draft[^{]*|DRAFT = )\{\n(.*?)\n\}", text, re.DOTALL
    )
    found = re.findall(r"^  (\w+)\??:", "\n".join(blocks), re.MULTILINE)
    for name, pattern in SHARED.items():
        if name in text:
            found += re.findall(pattern, SHARED_TEXT, re.MULTILINE)
    return {*found}


def wire(names: Iterable[str]) -> set[str]:
    return {camel(name) for name in names}


RECORDED = wire(set(License.__struct_fields__) - UNRECORDED)
LICENSE_PLACES: Mapping[str, set[str]] = {
    "view": set(LicenseView.__struct_encode_fields__),
    "event": RECORDED,
    "issue": set(IssueLicenseBody.__struct_encode_fields__),
    "issue page": draft("licenses/issue/issueDraft.ts"),
    "change": set(LicenseChange.__struct_encode_fields__),
    "edit dialog": draft("licenses/detail/actions/EditDialog.tsx"),
    "import": {*COLUMNS, "metadata"},
}
_OWN_ROUTE = dict.fromkeys(("issue", "issue page", "change", "edit dialog"), BY_ROUTE)
_SYSTEM = dict.fromkeys(("issue", "issue page", "change", "edit dialog", "import"), SYSTEM)
_FIXED = dict.fromkeys(("change", "edit dialog"), NEVER_CHANGES)
LICENSE_ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "institutionId": {**_SYSTEM, "event": "the event has its institution"},
    "id": _SYSTEM,
    "productId": {**_FIXED, "import": BY_PRODUCT},
    "softwareReleaseId": {"import": BY_PRODUCT},
    "customerInstitutionId": {"import": NOT_EXPORTED},
    "customerId": dict.fromkeys(_SYSTEM, BY_SELF),
    "type": dict.fromkeys(_FIXED, "a conversion changes it"),
    "licenseKey": {**_FIXED, "event": SECRET},
    "normalKey": {**_SYSTEM, "view": BY_SELF, "event": SECRET},
    "issuer": {"import": NOT_EXPORTED},
    "expirationDate": {"edit dialog": "the dialog that renews has it"},
    "activationMode": {"import": NOT_EXPORTED},
    "deviceBindingMode": {"import": NOT_EXPORTED},
    "entitlementSetId": {"import": "its ids are of this service"},
    "initialMeterBalance": {
        "view": "meterBalance is what is left of it",
        "import": "balances are not imported",
        **dict.fromkeys(_FIXED, PAID_FOR),
    },
    "username": {"import": NOT_EXPORTED},
    "passwordHash": {
        "view": SECRET,
        "event": SECRET,
        "import": NOT_EXPORTED,
        **dict.fromkeys(("issue", "issue page", "change", "edit dialog"), "as password"),
    },
    "notes": {"event": "for the vendor's eyes alone"},
    "createdAt": {**_SYSTEM, "event": "the event of its creation has it"},
    "updatedAt": {**_SYSTEM, "event": "each event has its own time"},
    "suspendedAt": {**_OWN_ROUTE, "view": "status", "import": "status"},
    "revokedAt": {**_OWN_ROUTE, "import": "status"},
    "blockedDevices": {**_SYSTEM, "view": "the devices say it", "event": "devices have events"},
    "featureValues": {"import": NOT_EXPORTED},
    "policyId": {
        **dict.fromkeys(_FIXED, "applying a policy changes it"),
        "import": "its ids are of this service",
    },
    "termDays": {
        **dict.fromkeys(("issue", "issue page"), "the policy says it"),
        **dict.fromkeys(_FIXED, "an expiration date replaces it"),
        "import": NOT_EXPORTED,
    },
    "termMonths": {
        **dict.fromkeys(("issue", "issue page"), "the policy says it"),
        **dict.fromkeys(_FIXED, "an expiration date replaces it"),
        "import": NOT_EXPORTED,
    },
    "termBeganAt": {**_SYSTEM, "view": BY_SELF, "event": BY_SELF},
    "termAnchorDay": {**_SYSTEM, "view": BY_SELF, "event": BY_SELF},
    "graceDays": {"import": NOT_EXPORTED},
    "updatesUntil": {"edit dialog": "the dialog that renews has it"},
    "deviceProof": {"import": NOT_EXPORTED},
    "machineMatch": {"import": NOT_EXPORTED},
    "onClone": {"import": NOT_EXPORTED},
    "maxBorrowDays": {"import": NOT_EXPORTED},
    "maxBorrowedSeats": {"import": NOT_EXPORTED},
    "maxOfflineCredits": {"import": NOT_EXPORTED},
    "onUnreturned": {"import": NOT_EXPORTED},
    "offlineActivation": {"import": NOT_EXPORTED},
    "fallback": {"import": NOT_EXPORTED},
    "fallbackAfterMonths": {"import": NOT_EXPORTED},
    "paidSince": {**_SYSTEM, "view": BY_SELF, "event": BY_SELF},
    "test": dict.fromkeys(_SYSTEM, "its product is for tests or not"),
    "clock": {**_SYSTEM, "view": "its product has a test clock or not", "event": BY_SELF},
}
"""Where a field of `License` is not, and why; every other field is everywhere."""

POLICY_PLACES: Mapping[str, set[str]] = {
    "view": set(PolicyView.__struct_encode_fields__),
    "create": set(PolicyBody.__struct_encode_fields__),
    "change": set(PolicyChange.__struct_encode_fields__),
    "dialog": draft("products/policies/PolicyDialog.tsx"),
    "as code": set(as_code.Policy.__struct_encode_fields__),
}
_POLICY_SYSTEM = dict.fromkeys(("create", "change", "dialog", "as code"), SYSTEM)
POLICY_ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "institutionId": _POLICY_SYSTEM,
    "id": _POLICY_SYSTEM,
    "productId": {
        "change": NEVER_CHANGES,
        "dialog": "the dialog is of a product",
        "as code": "a policy stands in its product",
    },
    "entitlementSetId": {"as code": "entitlementSet, by name"},
    "createdAt": _POLICY_SYSTEM,
    "updatedAt": _POLICY_SYSTEM,
}


def lacking(names: Iterable[str], places: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Where each field is not, for those that are not everywhere."""
    found = {name: {place for place, has in places.items() if name not in has} for name in names}
    return {name: places for name, places in found.items() if places}


@pytest.mark.parametrize(
    ("names", "places", "elsewhere"),
    [
        (wire(License.__struct_fields__), LICENSE_PLACES, LICENSE_ELSEWHERE),
        (wire(Policy.__struct_fields__), POLICY_PLACES, POLICY_ELSEWHERE),
    ],
    ids=["License", "Policy"],
)
def test_field_is_in_each_place_or_has_a_reason(
    names: set[str], places: Mapping[str, set[str]], elsewhere: Mapping[str, Mapping[str, str]]
) -> None:
    assert lacking(names, places) == {name: {*reasons} for name, reasons in elsewhere.items()}
