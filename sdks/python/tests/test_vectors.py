from __future__ import annotations

import subprocess
import sys

import pytest
from licet_testkit import KEYS, VECTORS

from licet._keys import check_symbol


@pytest.mark.parametrize("case", KEYS["checkSymbols"], ids=lambda case: case["payload"])
def test_check_symbol(case: dict[str, str]) -> None:
    assert check_symbol(case["payload"]) == case["check"]


def test_the_vectors_match_the_script() -> None:
    command = [sys.executable, str(VECTORS / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
