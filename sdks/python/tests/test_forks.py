"""A forked child shares neither connections nor locks with its parent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from licet_testkit import (
    API_KEY,
    HARDWARE,
    LICENSE_KEY,
    NOW,
    PRODUCT,
    PUBLIC_KEY,
    FakeClock,
    LicenseServer,
    Vendor,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks of POSIX")

CLIENT = f"""
import os, signal, sys, threading
from datetime import datetime
from licet import LicenseClient
signal.alarm(60)
client = LicenseClient(
    product_id={PRODUCT!r}, public_key={PUBLIC_KEY!r}, license_key={LICENSE_KEY!r},
    api_key={API_KEY!r}, hardware_id={HARDWARE!r}, server_base_endpoint=sys.argv[1],
    license_file=sys.argv[2] + "/license.bin", clock=lambda: datetime.fromisoformat({str(NOW)!r}),
)
def in_child(work):
    child = os.fork()
    if not child:
        signal.alarm(20)
        os._exit(0 if work() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
ASK_AND_FORK = """
assert client.validate_online()
assert all([in_child(client.validate_online) for _ in range(3)])
assert client.validate_online()
"""
FORK_UNDER_LOCKS = """
assert client.validate_online()
taken, let_go = threading.Event(), threading.Event()
def hold_every_lock():
    with client._core.store._lock, client._transport._lock:
        taken.set()
        let_go.wait()
threading.Thread(target=hold_every_lock, daemon=True).start()
taken.wait()
assert in_child(client.validate_online)
let_go.set()
"""


@pytest.fixture
def server(vendor: Vendor, clock: FakeClock) -> Iterator[LicenseServer]:
    with LicenseServer(vendor, clock, keep_alive=True) as running:
        yield running


def run(script: str, server: LicenseServer, folder: Path) -> None:
    command = [sys.executable, "-c", CLIENT + script, server.base, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_each_process_has_a_connection_of_its_own(server: LicenseServer, tmp_path: Path) -> None:
    run(ASK_AND_FORK, server, tmp_path)
    first, *children, last = server.peers
    assert len({first, *children}) == 4
    assert last == first, "the children left the parent's connection alone"


def test_a_child_does_not_wait_for_locks_of_its_parent(
    server: LicenseServer, tmp_path: Path
) -> None:
    run(FORK_UNDER_LOCKS, server, tmp_path)
    assert len(server.peers) == 2
