"""What each statement has to keep to, so that a database that is spread by institution takes it.

Citus refuses the statements that break these rules. They are read from the text of each statement
when the service sends it for the first time, in every run. Migrations need not keep to them.
"""

import re
from typing import Any

from sqlalchemy import Engine, event
from statement_log import sender
from testkit import database_options

_SET = re.compile(r"\bSET (.*?)(?: FROM | WHERE | RETURNING |$)", re.DOTALL)
_KEY = re.compile(r"(?:^|, )(?:institution_id|id) ?=")
_CHANGE = re.compile(r"(?:UPDATE|DELETE FROM) .*", re.DOTALL)
_UNSTABLE = re.compile(
    r"concat_ws\(|row_to_json\((?!gone\))|now\(\)|\bAS TEXT\) \|\||date_trunc\('[a-z]+', \w+\.\w+\)"
)
_LOCK = re.compile(
    r"\bFROM (\w+)[^()]*? FOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)(?: OF (\w+))?"
)

faults: list[str] = []
"""What was found since the last look."""


def check() -> None:
    """Look at the statements of all engines from now on."""
    event.listen(Engine, "do_execute", _note)
    event.listen(Engine, "do_executemany", _note)


def _note(_cursor: Any, statement: str, _values: Any, _context: Any) -> None:
    found = faults_of(statement)
    if database_options.get("distributed") and copies_locked_by(statement):
        found.append("It locks what every node has a copy of, on the first worker: hold_rows")
    sent_by = sender() if found else None
    if sent_by is not None and not sent_by.startswith("migrations"):
        faults.extend(f"{fault} ({sent_by}):\n{statement}" for fault in found)


def faults_of(statement: str) -> list[str]:
    """Return which rules a statement breaks."""
    found = []
    # An archive that was written again has another ID.
    of_archive = statement.startswith("UPDATE archives ")
    if not of_archive and any(map(_KEY.search, _SET.findall(statement))):
        found.append("It sets a column of its key, which stays what it is: leave it out")
    change = statement if statement.startswith("UPDATE") else _deleting(statement)
    if _UNSTABLE.search(change):
        found.append(
            "It changes rows by what depends on settings: pass a value, or compute it after"
        )
    return found


def copies_locked_by(statement: str) -> set[str]:
    """Return the tables that every node has a copy of, and that a statement locks rows of."""
    from licet_server.kit.database import metadata
    from licet_server.kit.placement import Placement, tables_of

    copies = {table.name for table in tables_of(metadata, Placement.REFERENCE)}
    return copies & {of or table for table, of in _LOCK.findall(" ".join(statement.split()))}


def _deleting(statement: str) -> str:
    found = _CHANGE.match(statement)
    return found[0] if found else ""
