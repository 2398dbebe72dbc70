"""`doctor`."""

import sys
from collections.abc import Sequence

import msgspec
from rich.table import Table

from licet_server.cli.options import DataDir, console, on_platform, say, settings_with
from licet_server.doctor import service
from licet_server.doctor.rules import CHECKS, CheckState, Finding, exit_code
from licet_server.doctor.schemas import report_view
from licet_server.kit.connecting import DatabaseRefused
from licet_server.kit.keyring import MasterKeyMissing
from licet_server.kit.master_key import WrongMasterKey
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform
from licet_server.kit.postgres import PostgresError
from licet_server.migrations import MigrationBlocked, UnknownSchema

_CANNOT_LOOK = 2
_CANNOT_OPEN = (
    DatabaseRefused,
    MasterKeyMissing,
    MigrationBlocked,
    OSError,
    PostgresError,
    UnknownSchema,
    WrongMasterKey,
)


def doctor(*, repair: bool = False, json: bool = False, data_dir: DataDir = None) -> None:
    """Look for what is wrong with the data and the surroundings of the service, and what to do.

    No row is changed without --repair, apart from an update of the schema. The service may keep
    running. The exit code is 0 if nothing was found, 1 if something is left to do, and 2 if a check
    could not look.

    Parameters
    ----------
    repair
        Repair what needs no decision of a person. The audit log of the instance names each row.
    json
        Print the findings as JSON, as `GET /api/doctor` returns them.
    """
    try:
        findings = on_platform(
            settings_with(data_dir=data_dir), _repair if repair else service.examine
        )
    except _CANNOT_OPEN as error:
        say(str(error))
        sys.exit(_CANNOT_LOOK)
    if json:
        print(msgspec.json.encode(report_view(findings)).decode())
    else:
        _show(findings)
    sys.exit(exit_code(findings))


async def _repair(platform: Platform) -> list[Finding]:
    return await service.repair(platform, CONSOLE)


def _show(findings: Sequence[Finding]) -> None:
    table = Table("Check", "State", "Count", "Repaired")
    for item in findings:
        title = CHECKS[item.name].title
        table.add_row(title, item.state.value, f"{item.count:,}", f"{item.repaired:,}")
    console.print(table)
    for item in findings:
        if item.state is CheckState.SOUND:
            continue
        check = CHECKS[item.name]
        print(f"\n{check.title}: {item.reason or check.meaning}")
        for example in item.examples:
            print(f"  {example}")
        if item.is_left:
            print(f"  {check.remedy}")
