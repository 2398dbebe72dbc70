"""What each statement has to keep to, so that a database that is spread by institution takes it.

Citus refuses the statements that break these rules. They are read from the text of each statement
when it is sent for the first time, in every run.
"""

import re
from typing import Any

from sqlalchemy import Engine, event

_SET = re.compile(r"\bSET (.*?)(?: FROM | WHERE | RETURNING |$)", re.DOTALL)
_RULES = {
    "sets a column of its key, which stays what it is: leave it out": re.compile(
        r"(?:^|, )(?:institution_id|id) ?="
    ),
}

faults: list[str] = []
"""What was found since the last look."""


def check() -> None:
    """Look at the statements of all engines from now on."""
    event.listen(Engine, "do_execute", _note)
    event.listen(Engine, "do_executemany", _note)


def _note(_cursor: Any, statement: str, _values: Any, _context: Any) -> None:
    faults.extend(f"{fault}:\n{statement}" for fault in faults_of(statement))


def faults_of(statement: str) -> list[str]:
    """Return which rules a statement breaks."""
    found = []
    for setting in _SET.findall(statement):
        if statement.startswith("UPDATE archives "):
            continue  # whose rewritten file has another ID
        found += [fault for fault, pattern in _RULES.items() if pattern.search(setting)]
    return found
