"""The appearance of institutions, which anyone who knows an institution's ID can see."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences, facts_of
from licet_server.institutions.rules.institutions import WELCOMES_MAX, Appearance
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import (
    fetch_institution,
    institution_names,
    record_institution,
)
from licet_server.institutions.storage import institutions as storage
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field, not_found
from licet_server.kit.images import Picture, reencode, shrink
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.text import one_line, unlinked
from licet_server.kit.unit_of_work import UnitOfWork


async def fetch_appearance(db: Connection, operator: Operator, institution_id: UUID) -> Appearance:
    """Fetch what an institution of the operator shows."""
    institution = await fetch_institution(db, operator, institution_id)
    return await _of(db, institution.id)


async def change_appearance(
    work: UnitOfWork, operator: Operator, institution_id: UUID, changes: Mapping[str, Any]
) -> Appearance:
    """Change the fields in `changes`, which are named as in `Appearance`.

    Translations of the welcome text that are not named stay; `None` removes one.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` for too many translations.
    """
    current = await _lock(work, operator, institution_id)
    named = changes.get("welcome_translations", {})
    merged = {**current.welcome_translations, **named}
    kept = {locale: text for locale, text in sorted(merged.items()) if text is not None}
    if len(kept) > WELCOMES_MAX:
        raise bad_field("welcomeTranslations", f"must have at most {WELCOMES_MAX} languages.")
    changed = replace(current, **{**changes, "welcome_translations": kept})
    if changed != current:
        await storage.save_appearance(work.db, changed)
        await _record(work, operator, current, changed)
    return changed


async def check_institution(platform: Platform, operator: Operator, institution_id: UUID) -> None:
    """Check that the operator may change the institution, before the body is read."""
    async with platform.database.reading() as db:
        await fetch_institution(db, operator, institution_id)


async def set_logo(
    platform: Platform, origin: Origin, operator: Operator, institution_id: UUID, content: bytes
) -> Appearance:
    """Set or replace the logo of an institution.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` for an unusable image.
    """
    picture = await reencode("logo", content)
    async with platform.unit_of_work(origin) as work:
        return await _save_logo(work, operator, institution_id, picture)


async def delete_logo(work: UnitOfWork, operator: Operator, institution_id: UUID) -> None:
    """Delete the logo; without one, nothing changes."""
    await _save_logo(work, operator, institution_id, None)


async def fetch_logo(db: Connection, institution_id: UUID) -> Picture:
    """Fetch the logo of an institution.

    Raises:
        Refused: `NotFound`, whether the logo or the institution does not exist.
    """
    logo = await storage.fetch_logo(db, institution_id)
    if logo is None:
        raise not_found("logo")
    return logo


async def find_appearances(db: Connection, institution_ids: Collection[UUID]) -> list[Appearance]:
    """List what these institutions show, by display name, which defaults to their own."""
    names = await institution_names(db, institution_ids)
    found = await storage.fetch_appearances(db, institution_ids) if names else {}
    shown = [_named(found.get(item, Appearance(institution_id=item)), names) for item in names]
    return sorted(shown, key=lambda item: (str(item.display_name).lower(), item.institution_id))


def look_of(appearance: Appearance) -> mail.Look:
    """Return how the emails of an institution look, whose name no email program makes a link of."""
    name = unlinked(one_line(appearance.display_name or ""))
    has_logo = appearance.logo_version is not None
    logo_of = appearance.institution_id if has_logo else None
    return mail.Look(name, appearance.color or mail.NEUTRAL, logo_of)


_LOGO_WIDTH, _LOGO_HEIGHT = 200, 40
"""What a logo takes of an email at most, in pixels of its page."""

_LOGO_BYTES_MAX = 40_000


async def mailed_logo(platform: Platform, institution_id: UUID) -> mail.Logo | None:
    """Return the logo of an institution as emails show it: a PNG or JPEG of at most 40 kB.

    Call it without a connection to the database.

    Raises:
        Refused: `Unavailable` when too many images are processed at once.
    """
    async with platform.database.reading() as db:
        logo = await storage.fetch_logo(db, institution_id)
    if logo is None:
        return None
    small = await shrink(logo, _LOGO_WIDTH, _LOGO_HEIGHT, _LOGO_BYTES_MAX)
    return mail.Logo(small.media_type, small.content, small.width, small.height)


async def find_looks(db: Connection, institution_ids: Collection[UUID]) -> dict[UUID, mail.Look]:
    """Return how the emails of institutions look."""
    shown = await find_appearances(db, institution_ids)
    return {item.institution_id: look_of(item) for item in shown}


async def find_renewal_pages(db: Connection, institution_ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the pages where licenses of institutions are renewed; those without are omitted."""
    return await storage.fetch_renewal_pages(db, institution_ids) if institution_ids else {}


async def fetch_public_appearance(db: Connection, institution_id: UUID) -> Appearance:
    """Fetch what an institution shows to everyone.

    Raises:
        Refused: `NotFound`, if it does not exist or shows nothing of its own.
    """
    found = await _find_public(db, [institution_id])
    if institution_id not in found:
        raise not_found("institution")
    return _named(found[institution_id], await institution_names(db, [institution_id]))


async def shows_itself(db: Connection, institution_id: UUID) -> bool:
    """Return whether an institution shows something of its own to everyone."""
    return bool(await _find_public(db, [institution_id]))


async def _find_public(db: Connection, institution_ids: Collection[UUID]) -> dict[UUID, Appearance]:
    found = await storage.fetch_appearances(db, institution_ids)
    return {key: item for key, item in found.items() if item != Appearance(institution_id=key)}


def _named(appearance: Appearance, names: Mapping[UUID, str]) -> Appearance:
    name = appearance.display_name or names.get(appearance.institution_id)
    return replace(appearance, display_name=name)


async def _of(db: Connection, institution_id: UUID) -> Appearance:
    found = await storage.fetch_appearances(db, [institution_id])
    return found.get(institution_id, Appearance(institution_id=institution_id))


async def _lock(work: UnitOfWork, operator: Operator, institution_id: UUID) -> Appearance:
    await fetch_institution(work.db, operator, institution_id)
    await storage.lock_institution(work.db, institution_id)
    return await _of(work.db, institution_id)


async def _save_logo(
    work: UnitOfWork, operator: Operator, institution_id: UUID, logo: Picture | None
) -> Appearance:
    current = await _lock(work, operator, institution_id)
    changed = replace(current, logo_version=None if logo is None else logo.version)
    if changed != current:
        await storage.save_logo(work.db, institution_id, logo)
        await _record(work, operator, current, changed)
    return changed


async def _record(
    work: UnitOfWork, operator: Operator, before: Appearance, after: Appearance
) -> None:
    institution = await fetch_institution(work.db, operator, after.institution_id)
    was, becomes = (facts_of(item, omit={"institution_id"}) for item in (before, after))
    changes = differences(was, becomes)
    await record_institution(work, EventKind.INSTITUTION_SETTINGS_CHANGED, institution, changes)
