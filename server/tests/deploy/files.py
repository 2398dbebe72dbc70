"""The files that operators start from."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "deploy"


def variables(name: str) -> dict[str, str]:
    """The variables of a file of lines NAME=value."""
    text = (FOLDER / name).read_text()
    return dict(re.findall(r"^#? ?([A-Z][A-Z0-9_]+)=(.*)$", text, re.MULTILINE))
