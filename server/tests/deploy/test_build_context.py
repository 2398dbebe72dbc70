"""The build of the image gets all sources, and no secret, data or result that lies beside them."""

import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TOLD = re.findall(
    r"(?<![\w/.-])(licet-(?:data|demo|files)|[\w-]+\.dump|\.env)(?![\w-])",
    "".join(path.read_text() for path in [*ROOT.glob("docs/*.md"), ROOT / "deploy/compose.yaml"]),
)
"""What documents tell to create, wherever the reader stands."""


def _lines(name: str) -> list[str]:
    lines = (ROOT / name).read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _is_left_out(path: str) -> bool:
    """Whether a pattern of .dockerignore matches the path or a folder of it."""
    parts = path.split("/")
    for pattern in _lines(".dockerignore"):
        wanted = pattern.removeprefix("**/").split("/")
        starts = range(len(parts)) if pattern.startswith("**/") else [0]
        for start in starts:
            there = parts[start : start + len(wanted)]
            if len(there) == len(wanted) and all(map(fnmatchcase, there, wanted)):
                return True
    return False


@pytest.mark.parametrize("line", _lines(".gitignore"))
def test_what_git_ignores_is_left_out(line: str) -> None:
    example = line.strip("/").replace("*", "example")
    assert _is_left_out(example)
    if "/" not in line.rstrip("/") and not line.startswith("licet-"):
        assert _is_left_out(f"sdks/some/{example}"), "git ignores it in each folder"


@pytest.mark.parametrize(
    "name", sorted({*TOLD, ".env", ".env.production", "licet-data-audit-heads.jsonl", "master.key"})
)
def test_what_documents_tell_to_create_is_left_out(name: str) -> None:
    assert _is_left_out(name)
    assert _is_left_out(f"deploy/{name}")


def test_each_source_is_there() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert [path for path in listed.stdout.splitlines() if _is_left_out(path)] == []
