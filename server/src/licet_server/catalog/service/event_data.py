"""The data of catalog events; they contain no keys and no long texts."""

from dataclasses import asdict

from licet_server.catalog.rules.model import EntitlementSet, Feature, Product, Release, ReleaseFile
from licet_server.catalog.rules.values import wire_entries
from licet_server.kit.text import camel

EventData = dict[str, object]

_LONGEST_TEXT = 200


def product_data(product: Product) -> EventData:
    """A product; its settings are separate fields, so the audit log shows each change."""
    settings = {
        f"settings.{camel(name)}": value for name, value in asdict(product.settings).items()
    }
    return {
        "id": product.id,
        "name": product.name,
        "description": _shortened(product.description),
        "accessType": product.access_type,
        **settings,
    }


def release_data(release: Release) -> EventData:
    """A release."""
    return {
        "id": release.id,
        "productId": release.product_id,
        "version": release.version,
        "channel": release.channel,
        "status": release.status,
        "notes": _shortened(release.notes),
        "publishedAt": release.published_at,
    }


def file_data(file: ReleaseFile) -> EventData:
    """A file of a release."""
    return {
        "id": file.id,
        "releaseId": file.release_id,
        "name": file.name,
        "platform": file.platform,
        "sizeBytes": file.size_bytes,
        "sha256": file.sha256.hex(),
    }


def feature_data(feature: Feature) -> EventData:
    """A feature."""
    return {
        "id": feature.id,
        "productId": feature.product_id,
        "name": feature.name,
        "kind": feature.kind,
        "displayName": feature.display_name,
        "description": _shortened(feature.description),
    }


def entitlement_set_data(item: EntitlementSet) -> EventData:
    """An entitlement set."""
    return {
        "id": item.id,
        "productId": item.product_id,
        "name": item.name,
        "entries": wire_entries(item.entries),
    }


def _shortened(text: str | None) -> str | None:
    if text is None or len(text) <= _LONGEST_TEXT:
        return text
    return text[:_LONGEST_TEXT] + "..."
