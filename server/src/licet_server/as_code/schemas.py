"""The format of the file.

A field that the file leaves out stays as it is; `null` clears it. Limits are those of the API.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from licet_server.kit.declared import changes
from licet_server.kit.text import Line, Name, Paragraphs
from licet_server.kit.web.body import Change, ExactValue
from licet_server.licenses.rules.model import MAX_SEATS, PolicyTerms
from licet_server.licenses.rules.policies import PolicyFields
from licet_server.licenses.rules.traits import LicenseType

FeatureName = Annotated[str, Meta(min_length=1, max_length=128, pattern=r"\S")]
Version = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]
Channel = Annotated[str, Meta(min_length=1, max_length=50, pattern=r"\S")]
Url = Annotated[str, Meta(min_length=1, max_length=2_000)]
EventTypes = Annotated[list[str], Meta(min_length=1, max_length=100)]
Seats = Annotated[int, Meta(ge=1, le=MAX_SEATS)]
SenderName = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]
Address = Annotated[str, Meta(min_length=3, max_length=254)]
LanguageTag = Annotated[str, Meta(min_length=2, max_length=35)]
Subject = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")]
MailText = Annotated[str, Meta(min_length=1, max_length=10_001, pattern=r"\S")]
"""The API has 10,000: in a file, the last line may have an end, too."""
HardwareIdKinds = Annotated[
    list[Literal["m", "j", "c", "n", "s", "b"]], Meta(min_length=1, max_length=20)
]

_TERMS = set(PolicyTerms.__struct_fields__) - {"entitlement_set_id"}
_OTHERS = set(PolicyFields.__struct_fields__) - set(PolicyTerms.__struct_fields__)


class Settings(Change):
    """Settings of a product at run time."""

    heartbeat_interval_seconds: Annotated[int, Meta(ge=1, le=3_600)] | UnsetType = UNSET
    session_timeout_seconds: Annotated[int, Meta(ge=3, le=86_400)] | UnsetType = UNSET
    heartbeat_min_spacing_seconds: Annotated[int, Meta(ge=0, le=3_600)] | UnsetType = UNSET
    offline_file_lifetime_days: Annotated[int, Meta(ge=1, le=3_650)] | UnsetType | None = UNSET
    device_releases_per_year: Annotated[int, Meta(ge=0, le=1_000)] | UnsetType = UNSET
    app_device_release: Literal["Off", "On"] | UnsetType = UNSET
    app_releases_per_year: Annotated[int, Meta(ge=0, le=1_000)] | UnsetType = UNSET
    downloads_need_license: bool | UnsetType = UNSET
    default_channel: Channel | UnsetType = UNSET
    trial_once_per_device: bool | UnsetType = UNSET
    device_idle_days: Annotated[int, Meta(ge=1, le=365)] | UnsetType | None = UNSET
    hardware_id_kinds: HardwareIdKinds | UnsetType | None = UNSET


class Feature(Change):
    """A feature; it is a Flag if `kind` is left out when it is created."""

    name: FeatureName
    kind: Literal["Flag", "Number", "Text"] | UnsetType = UNSET
    display_name: Line | UnsetType | None = UNSET
    description: Paragraphs | UnsetType | None = UNSET


class EntitlementSet(Change):
    """An entitlement set. `entries` maps each feature to its value, which is `true` for a Flag."""

    name: Name
    entries: Annotated[dict[str, ExactValue], Meta(max_length=1_000)]


@changes(PolicyTerms, after="renewal_grant", names=_TERMS)
@changes(PolicyFields, after="type", names=_OTHERS)
class Policy(Change):
    """A policy. `entitlementSet` is the name of an entitlement set of the product."""

    name: Name
    type: LicenseType
    max_active_users_count: Seats | UnsetType | None = UNSET
    entitlement_set: Name | UnsetType | None = UNSET
    license_name_pattern: Annotated[str, Meta(max_length=200)] | UnsetType | None = UNSET
    metadata: dict[str, str] | UnsetType = UNSET


class Translation(Change):
    """The words of an email in one language: a subject, and a body in Markdown."""

    subject: Subject
    body: MailText


class MailTemplate(Change):
    """What is stored for emails of a kind. `translations` are complete, by language tag."""

    kind: Literal["Issued", "Renewed", "Expiring", "Revoked"]
    automatic: bool | UnsetType | None = UNSET
    sender_name: SenderName | UnsetType | None = UNSET
    reply_to: Address | UnsetType | None = UNSET
    default_locale: LanguageTag | UnsetType | None = UNSET
    translations: Annotated[dict[str, Translation], Meta(max_length=20)] | UnsetType = UNSET


class Product(Change):
    """A product. `initialVersion` (1.0.0) is the first release, for a product that is created.

    `mode` cannot change, once it exists.
    """

    name: Name
    initial_version: Version | UnsetType = UNSET
    description: Paragraphs | UnsetType | None = UNSET
    access_type: Literal["Opened", "Associated"] | UnsetType = UNSET
    mode: Literal["Live", "Test"] | UnsetType = UNSET
    settings: Settings | UnsetType = UNSET
    features: list[Feature] | UnsetType = UNSET
    entitlement_sets: list[EntitlementSet] | UnsetType = UNSET
    policies: list[Policy] | UnsetType = UNSET
    mail_templates: list[MailTemplate] | UnsetType = UNSET


class Webhook(Change):
    """A webhook, told from the others by its URL. Event types are kinds, `license.*` or `*`."""

    url: Url
    event_types: EventTypes
    description: Line | UnsetType | None = UNSET
    enabled: bool | UnsetType = UNSET
    include_keys: bool | UnsetType = UNSET


class File(Change):
    """What an institution sells, and the emails and webhooks that tell of it."""

    products: list[Product] | UnsetType = UNSET
    mail_templates: list[MailTemplate] | UnsetType = UNSET
    webhooks: list[Webhook] | UnsetType = UNSET


_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_document() -> bytes:
    """Return the schema as a JSON document."""
    schema = _plain(msgspec.json.schema(File))
    document = {"$schema": _DIALECT, "title": "Licet as code", **schema}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _plain(value: Any) -> Any:
    """Return the schema with amounts as numbers instead of texts."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("format") == "decimal":
        return {"type": "number"}
    return {name: _plain(item) for name, item in value.items()}
