"""The journal on disk: what is confirmed is there, whatever happens to the process or the disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from licet import LicenseClient, LicenseFileError
from licet._journal import BrokenJournalError, Journal
from licet._journal_line import JournalLine, Spent, genesis
from licet.testing import FakeServer

LEASE = "01920000-0000-7000-8000-0000000000d1"
APPLICATION = """
import json, sys
from licet import InsufficientBalanceError, LicenseClient, LicenseFileError
options, name, count = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3])
client = LicenseClient(**options)
for number in range(count):
    key = f"{name}-{number}"
    try:
        client.consume("export", idempotency_key=key)
    except InsufficientBalanceError:
        break
    print(key, flush=True)
"""
NO_NETWORK = """
import json, sys
from licet import InsufficientBalanceError, LicenseClient
options = json.loads(sys.argv[1])
for address in ("https://licenses.example.com/api", "https://192.0.2.1/api"):
    given = {**options, "server_base_endpoint": address, "api_key": "pk_1", "timeout": 5}
    with LicenseClient(**given) as client, client.open() as license:
        print(license.status, license.consume("export", 70).reserved)
        try:
            license.consume("export", 100)
        except InsufficientBalanceError as error:
            print(error.balance, type(error.__cause__).__name__)
"""
FULL_DISK = """
import json, resource, sys
from pathlib import Path
from licet import LicenseClient, LicenseFileError
client, journal = LicenseClient(**json.loads(sys.argv[1])), Path(sys.argv[2])
client.consume("export", idempotency_key="before")
size = journal.stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 60, resource.RLIM_INFINITY))
try:
    client.consume("export", idempotency_key="full")
except LicenseFileError as error:
    print(error.idempotency_key, journal.stat().st_size == size)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(client.consume("export", idempotency_key="full").replayed)
"""


def has(journal: Journal, key: str) -> bool:
    journal.read(LEASE)
    return journal.find(LEASE, key) is not None


def charge(journal: Journal, key: str, cost: str = "2.5") -> None:
    at = journal.read(LEASE)
    line = JournalLine(at.lines + 1, "export", 1, Decimal(cost), 1_772_366_400, key, at.head)
    journal.add(LEASE, line)


def journal_of(folder: Path) -> Path:
    (found,) = folder.glob("*.journal")
    return found


def keys(path: Path) -> list[str]:
    """The keys of all lines, after the whole chain was read."""
    lease_id, *lines = path.read_text(encoding="utf-8").splitlines()
    assert Journal(path).read(lease_id).lines == len(lines)
    return [json.loads(line)["key"] for line in lines]


@pytest.fixture
def application(tmp_path: Path) -> dict[str, Any]:
    """The options of a client without a server, whose device has reserved 150 uses."""
    server = FakeServer()
    license_ = server.issue("MeteredCount", max_borrow_days=30, max_offline_credits=150)
    with server.client(license_, folder=tmp_path) as client:
        client.reserve(150)
    given = server.options(license_, folder=tmp_path)
    left_out = {"clock", "server_base_endpoint", "api_key", "retries"}
    options = {name: value for name, value in given.items() if name not in left_out}
    return {**options, "license_file": str(tmp_path / "license.bin")}


def start(options: dict[str, Any], name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", APPLICATION, json.dumps(options), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_line_that_is_cut_anywhere_was_not_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    journal = Journal(path)
    journal.start(LEASE)
    for number in range(3):
        charge(journal, f"order-{number}")
    whole = path.read_bytes()
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        lines = whole[:size].count(b"\n") - 1
        again = Journal(path)
        if lines < 0:
            with pytest.raises(BrokenJournalError):
                again.read(LEASE)
            continue
        assert again.read(LEASE).lines == lines
        charge(again, "order-new")
        assert keys(path) == [*(f"order-{number}" for number in range(lines)), "order-new"]


def test_what_another_copy_writes_is_seen_and_a_journal_put_back_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    one, other = Journal(path), Journal(path)
    one.start(LEASE)
    assert other.read(LEASE) == Spent(0, genesis(LEASE), Decimal(0))
    charge(one, "a")
    before = path.read_bytes()
    assert other.read(LEASE) == one.read(LEASE)
    charge(other, "b")
    assert has(one, "b")
    path.write_bytes(before)
    assert one.read(LEASE) == Journal(path).read(LEASE)
    assert not has(one, "b")
    charge(Journal(path), "c")
    assert not has(other, "b")
    other.start(LEASE)
    assert keys(path) == ["a", "c"]


def test_where_nothing_is_locked_no_chain_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    one, other = Journal(path), Journal(path)
    one.start(LEASE)
    line = JournalLine(1, "export", 1, Decimal(1), 1_772_366_400, "a", genesis(LEASE))
    charge(other, "b")
    with pytest.raises(BrokenJournalError, match="meanwhile"):
        one.add(LEASE, line)
    assert keys(path) == ["b"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_each_confirmed_charge_of_a_killed_process_is_there_once(
    application: dict[str, Any], tmp_path: Path
) -> None:
    process = start(application, "order", 150)
    assert process.stdout is not None
    confirmed = [process.stdout.readline().strip() for _ in range(20)]
    process.kill()
    confirmed += process.stdout.read().split()
    process.wait()
    found = keys(journal_of(tmp_path))
    assert found[: len(confirmed)] == confirmed
    assert len(found) - len(confirmed) in {0, 1}
    again = start(application, "order", 150)
    assert len(again.communicate(timeout=60)[0].split()) == 150
    assert keys(journal_of(tmp_path)) == [f"order-{number}" for number in range(150)]


def test_two_processes_spend_what_is_reserved_and_no_more(
    application: dict[str, Any], tmp_path: Path
) -> None:
    both = [start(application, name, 100) for name in ("one", "two")]
    confirmed = [key for process in both for key in process.communicate(timeout=60)[0].split()]
    found = keys(journal_of(tmp_path))
    assert len(found) == 150
    assert sorted(found) == sorted(confirmed)


def test_a_machine_without_any_network(application: dict[str, Any]) -> None:
    unshare = ["unshare", "--net"]
    try:
        subprocess.run([*unshare, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a network namespace cannot be created here")
    run = subprocess.run(
        [*unshare, sys.executable, "-c", NO_NETWORK, json.dumps(application)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    first, second, third, fourth = run.stdout.splitlines() or [run.stderr] * 4
    assert (first, third) == ("Valid True", "Valid True")
    assert (second, fourth) == ("80 DnsError", "10 NetworkError")


@pytest.mark.skipif(sys.platform == "win32", reason="this system limits no sizes of files")
def test_a_charge_that_does_not_fit_on_the_disk_is_not_made(
    application: dict[str, Any], tmp_path: Path
) -> None:
    command = [sys.executable, "-c", FULL_DISK, json.dumps(application)]
    run = subprocess.run(
        [*command, str(journal_of(tmp_path))],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.stdout.split() == ["full", "True", "False"], run.stderr
    assert keys(journal_of(tmp_path)) == ["before", "full"]


def test_a_charge_that_cannot_be_written_is_made_by_the_server_or_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> int:
        raise PermissionError(13, os.strerror(13))

    server = FakeServer()
    license_ = server.issue("MeteredCount", max_borrow_days=30, max_offline_credits=150)
    with server.client(license_, folder=tmp_path) as client:
        reserved = client.reserve(150)
        monkeypatch.setattr("licet._journal.open_to_change", refuse)
        charge = client.consume("export")
        assert (charge.reserved, charge.balance) == (False, 849)
        server.go_offline()
        with pytest.raises(LicenseFileError, match="Permission denied"):
            client.consume("export")
        assert (license_.balance, reserved.spent) == (849, 0)


def test_threads_of_one_process_take_turns(application: dict[str, Any], tmp_path: Path) -> None:
    with LicenseClient(**application) as client:

        def work(name: int) -> None:
            for number in range(20):
                client.consume("export", idempotency_key=f"{name}-{number}")

        threads = [threading.Thread(target=work, args=(name,)) for name in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(set(keys(journal_of(tmp_path)))) == 60
