"""Run the examples of docs/testing-your-application.md."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "testing-your-application.md"


def test_the_examples_pass(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    code = "\n".join(blocks)
    (tmp_path / "test_examples.py").write_text(code)
    tests = len(re.findall(r"^def test_", code, re.MULTILINE))
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_examples.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert f"{tests} passed" in run.stdout
    assert tests >= 11
