"""The chain of seals: every way of tampering with events is found."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from applications import ApplicationWith, emptied
from licenses.factories import issue, make_product
from sqlalchemy import text
from testkit import Owner
from world import World

from licet_server.app import Application
from licet_server.audit.rules import ChainHead, Finding
from licet_server.audit.service.verifying import Verification, verify
from licet_server.events.rules.model import UNREADABLE
from licet_server.events.service import sealing
from licet_server.events.service.sealing import seal_events
from licet_server.kit.platform import Platform

CHANGE = "UPDATE events SET {} WHERE institution_id = :i AND seal_number = 3"
DELETE = "DELETE FROM events WHERE institution_id = :i AND seal_number {}"
MOVE = "UPDATE events SET seal_number = {} WHERE institution_id = :i AND seal_number {}"
CLOSE_THE_GAP = [
    MOVE.format("-seal_number", "> 3"),
    MOVE.format("-seal_number - 1", "< 0"),
]
HIDE_THE_CUT = """
    UPDATE audit_chains c SET number = 3, seal = e.seal FROM events e
    WHERE c.institution_id = :i AND e.institution_id = :i AND e.seal_number = 3
"""
CHANGED_TO = {
    "fact": """data = data || '{"id": 1}'""",
    "differences": """changes = '{"name": [1, 2]}'""",
    "actor": "actor_name = 'somebody'",
    "address": "ip_address = '10.9.9.9'",
    "time": "occurred_at = occurred_at - interval '1 microsecond'",
    "kind": "kind = 'license.updated'",
    "name": "subject_name = 'Another name'",
    "license": "license_id = uuidv7()",
    "seal": "seal = sha256(seal)",
    "salt": "salt = sha256(salt)",
    "no salt": "salt = NULL",
    "erased by hand": (
        """data = data || '{"name": "(erased)"}', salt = NULL, erasure = """
        """'{"digests": {"data.name": "00"}, "salts": {}, "mark": "00"}'"""
    ),
}
TAMPERINGS: dict[str, tuple[list[str], Finding]] = {
    **{name: ([CHANGE.format(to)], Finding.CHANGED) for name, to in CHANGED_TO.items()},
    "deleted": ([DELETE.format("= 3")], Finding.MISSING),
    "first deleted": ([DELETE.format("= 1")], Finding.MISSING),
    "moved": (
        [MOVE.format("0", "= 3"), MOVE.format("3", "= 4"), MOVE.format("4", "= 0")],
        Finding.CHANGED,
    ),
    "closed the gap": ([DELETE.format("= 3"), *CLOSE_THE_GAP], Finding.CHANGED),
    "cut": ([DELETE.format("> 3")], Finding.CUT),
    "cut and hidden": ([DELETE.format("> 3"), HIDE_THE_CUT], Finding.CUT),
    "all deleted": ([DELETE.format("> 0")], Finding.CUT),
    "chain deleted": (["DELETE FROM audit_chains WHERE institution_id = :i"], Finding.LOST),
    "forgotten and sealed anew": (
        [
            "UPDATE events SET seal = NULL, seal_number = NULL WHERE institution_id = :i",
            "DELETE FROM audit_chains WHERE institution_id = :i",
        ],
        Finding.LOST,
    ),
    "everything deleted": (
        [
            "DELETE FROM events WHERE institution_id = :i",
            "DELETE FROM audit_chains WHERE institution_id = :i",
        ],
        Finding.LOST,
    ),
    "the chain of another": (
        [
            "DELETE FROM audit_chains WHERE institution_id = :i",
            """
            INSERT INTO audit_chains
            SELECT :i, id, secret, number, seal, mark, sealed_at, anchored FROM audit_chains
            WHERE institution_id <> :i ORDER BY number LIMIT 1
            """,
        ],
        Finding.CUT,
    ),
    "another secret": (
        ["UPDATE audit_chains SET id = uuidv7() WHERE institution_id = :i"],
        Finding.REPLACED,
    ),
}
# What could stop the verification, so that nothing else is found either.
NONSENSE = {
    "no kind": "kind = 'nonsense'",
    "facts in a list": "data = '[]'",
    "facts in a text": """data = '"text"'""",
    "no facts": "data = 'null'",
    "deep facts": "data = (repeat('[', 3000) || repeat(']', 3000))::json",
    "differences in a list": "changes = '[1]'",
    "a large number": """data = '{"id": 1e100000}'""",
    "the end of time": "occurred_at = 'infinity'",
    "before all time": "occurred_at = '4713-01-01 BC'",
    "a late time": "occurred_at = '290000-01-01'",
    "no seal": "seal = ''",
    "no salt left": "salt = ''",
    "an empty erasure": "salt = NULL, erasure = '{}'",
    "an erasure in a list": "salt = NULL, erasure = '[]'",
    "salts that are none": (
        """salt = NULL, erasure = '{"digests": {}, "salts": {"data.id": "zz"}, "mark": "é"}'"""
    ),
    "a deep erasure": "salt = NULL, erasure = (repeat('[', 3000) || repeat(']', 3000))::jsonb",
    "an archive without facts": "kind = 'archive.created', data = '{}'",
    "an archive of nothing": (
        """kind = 'archive.created', data = '{"id": [], "kind": "X", "number": "x"}'"""
    ),
}


@pytest.fixture(scope="module")
async def shared_application(application_with: ApplicationWith) -> Application:
    """An application on a database of its own: each verification reads all that is recorded."""
    return await emptied(await application_with("fresh"))


def quiet(done: int, total: int) -> None:
    assert done <= total


async def busy_owner(owner: Owner, platform: Platform) -> UUID:
    product = await make_product(owner)
    for _ in range(4):
        await issue(owner, product)
    await seal_events(platform)
    return UUID(owner.institution_id)


async def look(platform: Platform, institution: UUID, heads: list[ChainHead]) -> Any:
    found = await verify(platform, heads, quiet)
    return [item for item in found.breaches if item.institution_id == institution]


async def head_of(platform: Platform, institution: UUID) -> ChainHead:
    async with platform.database.reading() as db:
        row = await db.execute(
            text("SELECT number, seal FROM audit_chains WHERE institution_id = :i"),
            {"i": institution},
        )
        return ChainHead(institution, *row.one())


async def touch(platform: Platform, institution: UUID, *statements: str) -> None:
    async with platform.database.transaction() as db:
        for statement in statements:
            await db.execute(text(statement), {"i": institution})


@pytest.fixture
async def forget(platform: Platform) -> Any:
    """Delete what was tampered with, since other tests verify the same database."""
    touched: list[UUID] = []
    yield touched.append
    for institution in touched:
        await touch(
            platform,
            institution,
            "DELETE FROM events WHERE institution_id = :i",
            "DELETE FROM audit_chains WHERE institution_id = :i",
        )


@pytest.mark.parametrize("step", [1, 3, 500])
async def test_untouched_chains_pass(
    owner: Owner, platform: Platform, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr("licet_server.events.service.sealing.EVENTS_PER_STEP", step)
    monkeypatch.setattr("licet_server.audit.service.verifying.EVENTS_PER_STEP", step)
    institution = await busy_owner(owner, platform)
    head = await head_of(platform, institution)
    assert head.number >= 8
    assert await look(platform, institution, [head]) == []
    await issue(owner, await make_product(owner, name="Borealis"))
    assert await look(platform, institution, [head]) == []
    await seal_events(platform)
    assert (await head_of(platform, institution)).number > head.number
    assert await look(platform, institution, [head]) == []


@pytest.mark.parametrize("name", TAMPERINGS)
async def test_tampering_is_found(
    owner: Owner, platform: Platform, forget: Callable[[UUID], None], name: str
) -> None:
    institution = await busy_owner(owner, platform)
    statements, finding = TAMPERINGS[name]
    forget(institution)
    await touch(platform, institution, *statements)
    await seal_events(platform)  # mends nothing
    found = await look(platform, institution, [])
    assert finding in {item.finding for item in found}, found
    places = [item.number for item in found if item.finding is finding]
    assert min(places) <= 20


@pytest.mark.parametrize("name", NONSENSE)
async def test_nonsense_in_an_event_is_found_and_stops_nothing(
    owner: Owner, platform: Platform, forget: Callable[[UUID], None], name: str
) -> None:
    institution = await busy_owner(owner, platform)
    forget(institution)
    await touch(platform, institution, CHANGE.format(NONSENSE[name]), DELETE.format("= 6"))
    found = {(item.finding, item.number) for item in await look(platform, institution, [])}
    assert {(Finding.CHANGED, 3), (Finding.MISSING, 6)} <= found


@pytest.mark.parametrize("to", ["number = -1", "number = 9223372036854775807", "mark = ''"])
async def test_nonsense_in_a_head_is_found_and_stops_nothing(
    owner: Owner, platform: Platform, forget: Callable[[UUID], None], to: str
) -> None:
    institution = await busy_owner(owner, platform)
    forget(institution)
    await touch(platform, institution, f"UPDATE audit_chains SET {to} WHERE institution_id = :i")
    assert Finding.CUT in {item.finding for item in await look(platform, institution, [])}


async def test_an_event_that_cannot_be_sealed_delays_no_other_institution(
    owner: Owner,
    stranger: Owner,
    platform: Platform,
    forget: Callable[[UUID], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    institutions = [UUID(item.institution_id) for item in (owner, stranger)]
    for owned, institution in zip((owner, stranger), institutions, strict=True):
        forget(institution)
        await make_product(owned)
    first = min(institutions)
    seal_all = sealing._seal_all

    async def seal_others(platform: Platform, institution_id: UUID) -> int:
        if institution_id == first:
            raise UNREADABLE[0]
        return await seal_all(platform, institution_id)

    monkeypatch.setattr(sealing, "_seal_all", seal_others)
    await seal_events(platform)
    assert (await head_of(platform, max(institutions))).number > 0
    assert (await head_of(platform, first)).number == 0


async def test_a_restored_earlier_state_is_found_by_the_log(
    owner: Owner, platform: Platform, forget: Callable[[UUID], None]
) -> None:
    """Events and the head of the chain are restored consistently: only the log knows more."""
    institution = await busy_owner(owner, platform)
    before = await head_of(platform, institution)
    async with platform.database.reading() as db:
        mark = (
            await db.execute(
                text("SELECT mark FROM audit_chains WHERE institution_id = :i"), {"i": institution}
            )
        ).scalar_one()
    await issue(owner, await make_product(owner, name="Borealis"))
    await seal_events(platform)
    after = await head_of(platform, institution)
    forget(institution)
    async with platform.database.transaction() as db:
        given = {"i": institution, "n": before.number, "seal": before.seal, "mark": mark}
        await db.execute(
            text("DELETE FROM events WHERE institution_id = :i AND seal_number > :n"),
            {"i": institution, "n": before.number},
        )
        await db.execute(
            text(
                "UPDATE audit_chains SET number = :n, seal = :seal, mark = :mark "
                "WHERE institution_id = :i"
            ),
            given,
        )
    assert await look(platform, institution, [before]) == []
    [breach] = await look(platform, institution, [after])
    assert (breach.finding, breach.number) == (Finding.CUT, before.number + 1)
    other = ChainHead(institution, before.number, bytes(32))
    assert {item.finding for item in await look(platform, institution, [other])} == {
        Finding.HEAD_DIFFERS
    }


async def test_concurrent_sealing(world: World) -> None:
    for _ in range(3):
        await asyncio.gather(
            *(world.issue() for _ in range(3)), *(seal_events(world.platform) for _ in range(4))
        )
    await seal_events(world.platform)
    assert await look(world.platform, UUID(world.owner.institution_id), []) == []
    verification: Verification = await verify(world.platform, [], quiet)
    assert verification.events > 12
