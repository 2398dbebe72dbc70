"""The files that operators start from."""

import os
import re
import shutil
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "deploy"
_SYSTEM = f"/usr/sbin:/usr/bin:{os.environ.get('PATH', os.defpath)}"


def program(name: str) -> str | None:
    """Where a program is that the machine may not have."""
    return shutil.which(name, path=_SYSTEM)


def variables(name: str) -> dict[str, str]:
    """The variables of a file of lines NAME=value."""
    text = (FOLDER / name).read_text()
    return dict(re.findall(r"^#? ?([A-Z][A-Z0-9_]+)=(.*)$", text, re.MULTILINE))
