"""A secret leaves the environment of the process, as its user and its children see it."""

import subprocess
import sys
from pathlib import Path

import pytest

SECRET = "a password that nobody guesses"
PROGRAM = """
import os, subprocess, sys
from pathlib import Path
from licet_server.kit.process import forget_variable
forget_variable("KNOWN")
forget_variable("UNKNOWN")
assert "KNOWN" not in os.environ
assert os.environ["OTHER"] == "stays"
print(Path("/proc/self/environ").read_bytes())
print(subprocess.run(["env"], capture_output=True).stdout)
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc")
def test_a_forgotten_variable_is_not_to_be_seen() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={"KNOWN": SECRET, "OTHER": "stays"},
        capture_output=True,
        text=True,
        check=True,
    )
    own, child = ended.stdout.splitlines()
    for environment in (own, child):
        assert SECRET not in environment
        assert "OTHER=stays" in environment
