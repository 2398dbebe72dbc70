"""`audit verify`."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import msgspec
from cyclopts import App

from licet_server.app import build_platform
from licet_server.audit.rules.model import Breach, ChainHead, Finding
from licet_server.audit.service.verifying import Verification, verify
from licet_server.cli.options import DataDir, counting, ready_database, say, settings_with
from licet_server.kit.settings import Settings
from licet_server.serving import prepare

_SHOWN = 50


class _Sealed(msgspec.Struct, tag_field="event", tag="audit_sealed"):
    """A log line that records where a chain ended."""

    institution_id: UUID
    number: int
    seal: str


_WORDS = {
    Finding.CHANGED: "the event at number {} was changed or moved",
    Finding.MISSING: "the event at number {} is missing",
    Finding.CUT: "the chain was cut before number {}",
    Finding.HEAD_DIFFERS: "the event at number {} differs from the log",
}


def verify_audit_log(*, log: list[Path] | None = None, data_dir: DataDir = None) -> None:
    """Verify that no recorded event was changed, deleted, moved or truncated.

    The exit code is 1 if verification fails. The service may keep running.

    Parameters
    ----------
    log
        Log files of the service, with one JSON object per line. The chain ends recorded in them
        are checked too, which detects a database that was reset to an earlier state.
    """
    heads = [head for path in log or [] for head in _heads(path)]
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        prepare(ready, say)
        found = asyncio.run(_verify(ready, heads))
    say(f"Verified {found.events:,} events in {found.chains:,} chains")
    if log:
        say(f"The log records {len(heads):,} chain ends")
    for breach in found.breaches[:_SHOWN]:
        print(_sentence(breach))
    if len(found.breaches) > _SHOWN:
        say(f"... and {len(found.breaches) - _SHOWN:,} more")
    if found.breaches:
        sys.exit(1)
    say("No problems found")


def _heads(path: Path) -> Iterator[ChainHead]:
    with path.open("rb") as lines:
        for line in lines:
            if b"audit_sealed" in line:
                with suppress(msgspec.MsgspecError):
                    sealed = msgspec.json.decode(line, type=_Sealed)
                    yield ChainHead(
                        sealed.institution_id, sealed.number, bytes.fromhex(sealed.seal)
                    )


async def _verify(settings: Settings, heads: list[ChainHead]) -> Verification:
    platform = build_platform(settings)
    try:
        with counting("Events") as progress:
            return await verify(platform, heads, progress)
    finally:
        await platform.database.close()


def _sentence(breach: Breach) -> str:
    return f"{breach.institution_id}: {_WORDS[breach.finding].format(breach.number)}"


def register(app: App) -> None:
    """Add the commands."""
    audit = App(name="audit", help="Verify the audit log.")
    audit.command(verify_audit_log, name="verify")
    app.command(audit)
