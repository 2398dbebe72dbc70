"""The last Owner stays, whatever two Owners do concurrently."""

import asyncio
from typing import Any

import pytest
from institutions.members import (
    CONFLICT,
    FORBIDDEN,
    NOT_FOUND,
    NewOwner,
    add_member,
    all_rows,
    at,
    member_path,
    outcome,
    roles,
    wait_for_lock,
)
from interleaving import lock_nothing, meet_after, pause_after
from sqlalchemy import text
from testkit import Owner

from licet_server.institutions.storage import institutions as storage
from licet_server.institutions.storage import members as stored
from licet_server.kit.platform import Platform


async def test_the_last_owner_stays(
    owner: Owner, admin: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    second = await add_member(owner, await new_owner(), "Admin")
    before = await all_rows(platform)
    for who in (owner, admin):  # also a system Admin who is not a member
        for role in ("Admin", "Member", "Viewer"):
            answer = await who.send("PUT", member_path(owner, owner), {"role": role})
            assert outcome(answer) == CONFLICT
        assert outcome(await who.send("DELETE", member_path(owner, owner))) == CONFLICT
    assert await all_rows(platform) == before
    await admin.ok("PUT", member_path(owner, second), {"role": "Owner"})
    assert (await owner.ok("PUT", member_path(owner, owner), {"role": "Viewer"}))[
        "role"
    ] == "Viewer"
    assert outcome(await second.send("DELETE", member_path(owner, second))) == CONFLICT
    await owner.ok("DELETE", member_path(owner, owner))
    assert await roles(at(owner, second)) == {second.user_id: "Owner"}


STEPS = {"demote": ("PUT", {"role": "Admin"}), "remove": ("DELETE", None)}


@pytest.fixture
async def owners(owner: Owner, new_owner: NewOwner) -> tuple[Owner, Owner]:
    return owner, await add_member(owner, await new_owner("Second"), "Owner")


Pairs = list[tuple[str, str, bool]]
PAIRS: Pairs = [
    ("demote", "demote", False),
    ("demote", "remove", False),
    ("remove", "remove", False),
    ("remove", "remove", True),
    ("demote", "demote", True),
    ("demote", "remove", True),
]
"""What each of two Owners does: to the other one, or to themselves."""


@pytest.mark.parametrize(("one", "two", "to_themselves"), PAIRS)
async def test_one_of_two_owners_who_remove_each_other_remains(
    owners: tuple[Owner, Owner],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    one: str,
    two: str,
    to_themselves: bool,
) -> None:
    """The second arrives after the first has looked for other Owners and before it has written."""
    first, second = owners
    pause = pause_after(monkeypatch, stored, "has_other_owner")
    targets = owners if to_themselves else (second, first)
    acting: list[asyncio.Task[Any]] = []
    for who, target, step in zip(owners, targets, (one, two), strict=True):
        method, body = STEPS[step]
        call = who.send(method, member_path(first, target), body)
        acting.append(asyncio.create_task(call) if acting else await pause.reached_by(call))
    await wait_for_lock(platform)
    pause.end()
    answers = await asyncio.gather(*acting)
    assert answers[0].is_success
    # Each was an Owner when the request began, and is now the last one or none.
    assert outcome(answers[1]) in {CONFLICT, FORBIDDEN, NOT_FOUND}
    left = await _roles_stored(platform, first.institution_id)
    assert list(left.values()).count("Owner") == 1


@pytest.mark.parametrize(("one", "two", "to_themselves"), PAIRS)
async def test_control_without_the_lock(
    owners: tuple[Owner, Owner],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    one: str,
    two: str,
    to_themselves: bool,
) -> None:
    first, second = owners
    meet_after(monkeypatch, stored, "has_other_owner", asyncio.Barrier(2))
    monkeypatch.setattr(storage, "lock_institution", lock_nothing)
    targets = owners if to_themselves else (second, first)
    answers = await asyncio.gather(
        *(
            who.send(STEPS[step][0], member_path(first, target), STEPS[step][1])
            for who, target, step in zip(owners, targets, (one, two), strict=True)
        )
    )
    assert all(answer.is_success for answer in answers)
    assert "Owner" not in (await _roles_stored(platform, first.institution_id)).values()


async def _roles_stored(platform: Platform, institution_id: str) -> dict[str, str]:
    statement = text("SELECT user_id::text, role FROM memberships WHERE institution_id = :id")
    async with platform.database.reading() as db:
        rows = await db.execute(statement, {"id": institution_id})
        return {row.user_id: row.role for row in rows}
