"""`audit verify`."""

import sys
from pathlib import Path

from licet_server.audit.rules import Breach, ChainHead, Finding
from licet_server.audit.service.evidence import read_heads
from licet_server.audit.service.verifying import Verification, verify
from licet_server.cli.options import DataDir, counting, on_platform, say, settings_with
from licet_server.kit.platform import Platform

_SHOWN = 50


_WORDS = {
    Finding.CHANGED: "the event at number {} was changed or moved",
    Finding.MISSING: "the event at number {} is missing",
    Finding.CUT: "the chain was cut before number {}",
    Finding.HEAD_DIFFERS: "the event at number {} differs from what was anchored",
    Finding.LOST: "the whole chain is gone, from number {} on",
    Finding.REPLACED: "the chain was replaced; its key was not made for it (number {})",
    Finding.RESTORED: "the event at number {} is in an archive, and in the table again",
    Finding.ARCHIVE_ADDED: "archive {} of {} is not in the audit log",
    Finding.ARCHIVE_CHANGED: "archive {} of {} was changed",
    Finding.ARCHIVE_MISSING: "archive {} of {} is missing",
}


def verify_audit_log(*, log: list[Path] | None = None, data_dir: DataDir = None) -> None:
    """Verify that no recorded event or archive was changed, deleted, moved or truncated.

    The heads in the file LICET_AUDIT_HEADS, by default beside the data folder, are compared too.
    They detect a database that was rewritten as a whole, or reset to an earlier state. The exit
    code is 1 if verification fails. The service may keep running.

    Parameters
    ----------
    log
        Further files with heads: log files of the service, with one JSON object per line, or the
        files of heads of other nodes.
    """
    settings = settings_with(data_dir=data_dir)
    own = settings.audit_heads_file
    heads = [head for path in (own, *(log or [])) for head in read_heads(path)]
    found = on_platform(settings, lambda platform: _verify(platform, heads))
    say(f"Verified {found.events:,} events in {found.chains:,} chains")
    say(f"Personal data was erased from {found.erased:,} of them; customer.erased says by whom")
    say(f"Verified {found.archives:,} archives")
    say(f"Compared {len(heads):,} heads that were anchored outside the database")
    if not own.exists():
        say(f"There is no file {own.name}: a database that was rewritten as a whole looks intact")
    for breach in found.breaches[:_SHOWN]:
        print(_sentence(breach))
    if len(found.breaches) > _SHOWN:
        say(f"... and {len(found.breaches) - _SHOWN:,} more")
    if found.breaches:
        sys.exit(1)
    say("No problems found")


async def _verify(platform: Platform, heads: list[ChainHead]) -> Verification:
    with counting("Events") as progress:
        return await verify(platform, heads, progress)


def _sentence(breach: Breach) -> str:
    return (
        f"{breach.institution_id}: {_WORDS[breach.finding].format(breach.number, breach.archive)}"
    )
