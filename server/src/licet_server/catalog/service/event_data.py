"""What subscribers and the audit log are told; no key and no long text."""

from licet_server.catalog.rules.model import EntitlementSet, Feature, Product, Release, ReleaseFile
from licet_server.catalog.rules.settings import stored_form

Facts = dict[str, object]

_LONGEST_TEXT = 200


def product_facts(product: Product) -> Facts:
    """A product; its settings one by one, so that the audit log shows each change."""
    settings = {
        f"settings.{_camel(name)}": value for name, value in stored_form(product.settings).items()
    }
    return {
        "id": product.id,
        "name": product.name,
        "description": _shortened(product.description),
        "accessType": product.access_type,
        "associatedInstitutionIds": list(product.associated_institution_ids),
        **settings,
    }


def release_facts(release: Release) -> Facts:
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


def file_facts(file: ReleaseFile) -> Facts:
    """A file of a release."""
    return {
        "id": file.id,
        "releaseId": file.release_id,
        "name": file.name,
        "platform": file.platform,
        "sizeBytes": file.size_bytes,
        "sha256": file.sha256.hex(),
    }


def feature_facts(feature: Feature) -> Facts:
    """A feature."""
    return {
        "id": feature.id,
        "productId": feature.product_id,
        "name": feature.name,
        "displayName": feature.display_name,
        "description": _shortened(feature.description),
    }


def set_facts(item: EntitlementSet) -> Facts:
    """An entitlement set."""
    return {
        "id": item.id,
        "productId": item.product_id,
        "name": item.name,
        "featureNames": list(item.feature_names),
    }


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _shortened(text: str | None) -> str | None:
    if text is None or len(text) <= _LONGEST_TEXT:
        return text
    return text[:_LONGEST_TEXT] + "..."
