"""Anchoring of chain heads in a file outside the database."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import msgspec
from anyio import to_thread

from licet_server.audit.rules import ChainHead
from licet_server.events.rules.chain import Chain
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE
from licet_server.events.service.recording import record_for_instance
from licet_server.events.service.sealing import begin_chain, has_chain, has_sealed_events
from licet_server.events.storage.chains import claim_new_heads, fetch_times
from licet_server.kit.clock_trust import Confirmation, Evidence, write_confirmation
from licet_server.kit.database import Connection
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


class _Head(msgspec.Struct, tag_field="event", tag="audit_sealed"):
    """A line that records the head of a chain: of this file, or of the service's log."""

    institution_id: UUID
    number: int
    seal: str


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Head)


async def anchor_heads(platform: Platform) -> int:
    """Append the heads that have moved to the file; returns how many.

    A head counts as anchored once its line is on the disk. A later change of
    the database cannot change what the file says about the time before.
    """
    async with platform.database.transaction() as db:
        moved = await claim_new_heads(db)
        if moved:
            path = platform.settings.audit_heads_file
            await to_thread.run_sync(_append, path, list(_lines(moved)))
    return len(moved)


async def begin_instance_chain(work: UnitOfWork, heads_file: Path) -> None:
    """Begin the chain of the instance at the first start.

    A missing one is not begun again while its events or its anchored heads are left.
    """
    if await has_chain(work.db, INSTANCE) or await has_sealed_events(work.db, INSTANCE):
        return
    if not any(head.institution_id == INSTANCE for head in read_heads(heads_file)):
        await begin_chain(work)


def read_heads(path: Path) -> Iterator[ChainHead]:
    """Read the heads in a file of heads, if there is one, or in a log file of the service."""
    if not path.exists():
        return
    with path.open("rb") as lines:
        for line in lines:
            if b"audit_sealed" in line:
                with suppress(msgspec.MsgspecError, ValueError):
                    head = _decoder.decode(line)
                    yield ChainHead(head.institution_id, head.number, bytes.fromhex(head.seal))


def _lines(moved: Iterable[Chain]) -> Iterator[bytes]:
    for chain in moved:
        head = _Head(chain.institution_id, chain.number, chain.seal.hex())
        yield _encoder.encode(head) + b"\n"


def _append(path: Path, lines: list[bytes]) -> None:
    """Append lines by one write, so that those of several processes do not mix."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, b"".join(lines))
        os.fsync(handle)
    finally:
        os.close(handle)


async def read_evidence(db: Connection) -> Evidence:
    """Read the database's clock and the time of the last seal."""
    return Evidence(*await fetch_times(db))


async def confirm_clock(platform: Platform) -> Confirmation:
    """Take this machine's clock for right from now on, whatever the last seal says."""
    async with platform.unit_of_work(CONSOLE) as work:
        evidence = await read_evidence(work.db)
        confirmation = Confirmation(work.now, evidence.sealed_at)
        kind = EventKind.INSTANCE_CLOCK_CONFIRMED
        data = {"at": confirmation.at, "sealedAt": confirmation.sealed_at}
        await record_for_instance(work, kind, subject_id=INSTANCE, data=data)
    write_confirmation(platform.settings.data_dir, confirmation)
    return confirmation


async def check_clock(platform: Platform) -> int:
    """Check the clock of this process; returns how many faults it has."""
    trust = platform.clock_trust
    if trust is None:
        return 0
    async with platform.database.reading() as db:
        await trust.check(db)
    return 0 if trust.fault is None else 1
