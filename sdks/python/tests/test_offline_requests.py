"""Offline requests on a disk that is damaged, copied or put back, and in processes that die."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from base64 import urlsafe_b64decode
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from licet import (
    AsyncLicenseClient,
    ConfigurationError,
    LicenseClient,
    LicenseFileError,
    OfflineCodeError,
    check_code_group,
)
from licet._code_letters import read_code, write_code
from licet._keys import ALPHABET
from licet.testing import FakeLicense, FakeServer
from licet.testing._offline_tokens import read_request
from licet.testing._problems import Refused

VECTORS = Path(__file__).resolve().parents[3] / "vectors" / "offline_requests.json"
TAKES_STEPS = """
import itertools, json, os, shutil, signal, sys
import licet._disk as disk
from licet import LicenseClient
options, action, answer = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
place = disk._place
def step():
    if next(steps) == last:
        os.kill(os.getpid(), signal.SIGKILL)
def slowly(path, content, mode, put):
    def put_slowly(new, target):
        step()
        put(new, target)
        step()
    step()
    place(path, content, mode, put_slowly)
disk._place = slowly
for last in itertools.count():
    copy = f"{sys.argv[4]}/{last}"
    shutil.copytree(options["state_folder"], copy)
    child = os.fork()
    if not child:
        steps = itertools.count()
        given = {**options, "state_folder": copy, "license_file": f"{copy}/license.bin"}
        client = LicenseClient(**given)
        getattr(client, action)(*[answer] * bool(answer))
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
print(last)
"""
ASKS = """
import json, sys
from licet import LicenseClient
client = LicenseClient(**json.loads(sys.argv[1]))
for _ in range(30):
    print(client.offline_request(renew=True).text)
"""


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("Concurrent", seats=1, offline_activation="SelfService")


def away(server: FakeServer, license_: FakeLicense, folder: Path, **changes: Any) -> dict[str, Any]:
    """The options of a client that knows no server."""
    folder.mkdir(exist_ok=True)
    return {
        "product_id": server.product_id,
        "public_key": server.public_key,
        "license_key": license_.key,
        "license_file": str(folder / "license.bin"),
        "state_folder": str(folder),
        "hardware_id": "h1m-" + "0" * 40,
        **changes,
    }


@pytest.fixture
def options(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> dict[str, Any]:
    return away(server, license_, tmp_path / "machine")


def activate(client: LicenseClient, license_: FakeLicense) -> bytes:
    file = license_.answer_offline(client.offline_request().text).file
    assert file is not None
    assert client.apply_offline_answer(file).valid
    return file


def claims_of(text: str) -> dict[str, Any]:
    claims: dict[str, Any] = json.loads(urlsafe_b64decode(text.split(".")[1] + "=="))
    return claims


def seq_of(text: str) -> int:
    seq: int = claims_of(text)["seq"]
    return seq


# Codes.


def test_no_mistake_of_one_symbol_or_of_two_neighbors_is_missed() -> None:
    right = write_code(bytes(range(150, 218)))
    plain, groups = right.replace("-", ""), right.split("-")
    for at, symbol in enumerate(plain):
        for other in ALPHABET.replace(symbol, ""):
            with pytest.raises(OfflineCodeError) as error:
                read_code(plain[:at] + other + plain[at + 1 :])
            assert error.value.group == at // 5 + 1
    for at in range(len(plain) - 1):
        swapped = plain[:at] + plain[at + 1] + plain[at] + plain[at + 2 :]
        if swapped != plain:
            with pytest.raises(OfflineCodeError) as error:
                read_code(swapped)
            assert error.value.group == at // 5 + 1
    for at in range(27):
        swapped = "".join([*groups[:at], groups[at + 1], groups[at], *groups[at + 2 :]])
        with pytest.raises(OfflineCodeError) as error:
            read_code(swapped)
        assert error.value.group == at + 1


def test_codes_are_written_as_the_vectors_say() -> None:
    for item in json.loads(VECTORS.read_text())["letters"]:
        raw = urlsafe_b64decode(item["bytes"] + "==")
        assert write_code(raw) == item["code"]
        assert read_code(item["code"]) == raw
    assert check_code_group(28, write_code(bytes(68))[-2:])


# What is damaged.


def test_every_changed_character_of_an_answer_is_refused(
    options: dict[str, Any], license_: FakeLicense
) -> None:
    with LicenseClient(**options) as client:
        file = license_.answer_offline(client.offline_request().text).file or b""
        for at, symbol in enumerate(file):
            changed = file[:at] + (b"A" if symbol != ord("A") else b"B") + file[at + 1 :]
            with pytest.raises(LicenseFileError):
                client.apply_offline_answer(changed)
        assert not Path(options["license_file"]).exists()
        assert client.apply_offline_answer(file).valid


def test_every_changed_character_of_a_request_and_a_release_is_refused(
    options: dict[str, Any], server: FakeServer, license_: FakeLicense
) -> None:
    with LicenseClient(**options) as client:
        activate(client, license_)
        texts = [client.offline_request().text, client.release_offline().text]
    for text in texts:
        assert read_request(text, server.product_id).jkt
        for at, symbol in enumerate(text):
            changed = text[:at] + ("A" if symbol != "A" else "B") + text[at + 1 :]
            with pytest.raises(Refused):
                read_request(changed, server.product_id)


def test_the_fake_takes_and_refuses_requests_as_the_vectors_say() -> None:
    for case in json.loads(VECTORS.read_text())["received"]:
        try:
            read_request(case["request"], case["productId"])
            refusal = None
        except Refused as refused:
            is_other = "another product" in refused.detail
            refusal = "OtherProduct" if is_other else "Malformed"
        assert refusal == case["refusal"], case["name"]


# Processes that die, and several at once.


def killed_at_each_write(
    options: dict[str, Any], action: str, answer: str, folder: Path
) -> list[LicenseClient]:
    """Clients of copies of a folder, in each of which the action died at another write."""
    folder.mkdir()
    run = subprocess.run(
        [sys.executable, "-c", TAKES_STEPS, json.dumps(options), action, answer, str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    last = int(run.stdout)
    assert last >= 3, "it has not written"
    copies = [folder / str(number) for number in range(last + 1)]
    return [
        LicenseClient(
            **{**options, "state_folder": str(copy), "license_file": str(copy / "license.bin")}
        )
        for copy in copies
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="forks of POSIX")
def test_a_request_survives_the_death_of_its_process(
    options: dict[str, Any], license_: FakeLicense, tmp_path: Path
) -> None:
    for client in killed_at_each_write(options, "offline_request", "", tmp_path / "copies"):
        made = client.offline_request()
        assert seq_of(made.text) == 1
        assert client.offline_request() == made
        license_._license.offline.clear()  # each copy is the only machine
        license_._license.devices.clear()
        activate(client, license_)


@pytest.mark.skipif(sys.platform == "win32", reason="forks of POSIX")
@pytest.mark.parametrize("by_code", [False, True])
def test_an_answer_is_taken_whenever_its_process_dies(
    options: dict[str, Any], license_: FakeLicense, tmp_path: Path, by_code: bool
) -> None:
    if by_code:
        Path(options["license_file"]).write_text(license_.base_file())
    with LicenseClient(**options) as client:
        answer = license_.answer_offline(client.offline_request().text)
    text = (answer.code or "") if by_code else (answer.file or b"").decode()
    copies = killed_at_each_write(options, "apply_offline_answer", text, tmp_path / "copies")
    seen = set()
    for client in copies:
        taken = client.validate_offline().valid
        seen.add(taken)
        if not taken:
            assert client.apply_offline_answer(text).valid
        assert client.validate_offline().valid
    assert seen == {True, False}


@pytest.mark.skipif(sys.platform == "win32", reason="forks of POSIX")
def test_a_release_is_either_made_or_not_whenever_its_process_dies(
    options: dict[str, Any], license_: FakeLicense, tmp_path: Path
) -> None:
    with LicenseClient(**options) as client:
        activate(client, license_)
    released = 0
    for client in killed_at_each_write(options, "release_offline", "", tmp_path / "copies"):
        is_valid = client.validate_offline().valid
        released += not is_valid
        proof = client.release_offline()
        assert seq_of(proof.text) == 2
        assert not client.validate_offline().valid
        assert client.release_offline() == proof
    assert released > 0
    assert license_.answer_offline(proof.code or "").state == "Released"
    assert license_.devices == []


def test_two_processes_never_use_one_number(options: dict[str, Any]) -> None:
    command = [sys.executable, "-c", ASKS, json.dumps(options)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    texts = [text for process in both for text in process.communicate(timeout=120)[0].split()]
    assert sorted(map(seq_of, texts)) == list(range(1, 61))


# Folders that are copied or put back.


def test_of_two_copies_of_a_folder_only_one_is_refreshed(
    options: dict[str, Any], server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with LicenseClient(**options) as client:
        activate(client, license_)
        shutil.copytree(options["state_folder"], tmp_path / "copy")
        copy = LicenseClient(**away(server, license_, tmp_path / "copy"))
        assert copy.validate_offline().valid, "the page says so"
        activate(client, license_)
        with pytest.raises(ValueError, match="OfflineRequestOutdated"):
            license_.answer_offline(copy.offline_request().text)
    assert len(license_.devices) == 1


def test_a_folder_put_back_after_a_release_ends_with_its_file(
    options: dict[str, Any], server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with LicenseClient(**options) as client:
        activate(client, license_)
        shutil.copytree(options["state_folder"], tmp_path / "copy")
        license_.answer_offline(client.release_offline().text)
        assert not client.validate_offline().valid
    copy = away(server, license_, tmp_path / "copy", clock=lambda: server.now)
    with LicenseClient(**copy) as client:
        assert client.validate_offline().valid, "the page says so"
        with pytest.raises(ValueError, match="OfflineRequestOutdated"):
            license_.answer_offline(client.offline_request().text)
        server.advance(days=30, minutes=1)
        assert client.validate_offline().status == "RefreshRequired"


def test_a_seat_that_was_released_offline_is_free_at_once(
    options: dict[str, Any], server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with LicenseClient(**options) as client:
        activate(client, license_)
        other = LicenseClient(
            **away(server, license_, tmp_path / "other", hardware_id="h1m-" + "1" * 40)
        )
        with pytest.raises(ValueError, match="MaxActivationsReached"):
            license_.answer_offline(other.offline_request().text)
        license_.answer_offline(client.release_offline().code or "")
        activate(other, license_)
        assert client.offline_request().kind == "Activate"


def test_the_number_goes_on_where_only_the_file_is_left(
    options: dict[str, Any], license_: FakeLicense
) -> None:
    with LicenseClient(**options) as client:
        activate(client, license_)
        for path in Path(options["state_folder"]).glob("*.offline"):
            path.unlink()
        assert client.validate_offline().valid
        activate(client, license_)


# Clocks, places and keys.


def test_a_clock_that_was_a_year_ahead_is_mended_by_the_next_answer(
    options: dict[str, Any], server: FakeServer, license_: FakeLicense
) -> None:
    ahead = {**options, "clock": lambda: server.now + timedelta(days=365)}
    with LicenseClient(**ahead) as client:
        file = license_.answer_offline(client.offline_request().text).file or b""
        assert client.apply_offline_answer(file).status == "RefreshRequired"
    server.advance(minutes=1)
    with LicenseClient(**{**options, "clock": lambda: server.now}) as client:
        assert client.validate_offline().status == "ClockTampered"
        activate(client, license_)


def test_an_installed_base_file_stays_and_a_newer_one_hides_no_answer(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    given = away(server, license_, tmp_path / "data")
    del given["license_file"]
    installed = tmp_path / "data" / "license.bin"
    installed.write_text(license_.base_file())
    with LicenseClient(**given) as client:
        file = activate(client, license_)
        assert installed.read_text() != file.decode()
        installed.write_text(license_.base_file())
        assert client.validate_offline().valid
        request = client.offline_request()
        code = license_.answer_offline(request.text).code
        assert request.kind == "Refresh"
        assert client.apply_offline_answer(code or "").valid
        assert client.release_offline().code
        assert client.validate_offline().status == "ActivationRequired"


def test_pasted_text_is_taken_as_a_file(options: dict[str, Any], license_: FakeLicense) -> None:
    with LicenseClient(**options) as client:
        file = license_.answer_offline(client.offline_request().text).file or b""
        assert client.apply_offline_answer(f"\n{file.decode()}\r\n").valid


def test_an_enrolled_device_makes_no_offline_requests(
    options: dict[str, Any],
) -> None:
    del options["license_key"]
    with (
        LicenseClient(**options, enrollment_key="licet_ek_1234567890") as client,
        pytest.raises(ConfigurationError, match="enrolled"),
    ):
        client.offline_request()


def test_a_name_that_is_too_long_for_a_request_is_left_out(options: dict[str, Any]) -> None:
    name, version = "\N{MUSICAL SYMBOL G CLEF}" * 256, "2." * 50
    with LicenseClient(**options, device_name=name, app_version=version) as client:
        text = client.offline_request().text
    assert len(text) <= 2048
    assert claims_of(text)["appVersion"] == version
    assert "deviceName" not in claims_of(text)


async def test_the_async_client_does_the_same(
    options: dict[str, Any], license_: FakeLicense
) -> None:
    async with AsyncLicenseClient(**options) as client:
        request = await client.offline_request()
        file = license_.answer_offline(request.text).file or b""
        assert (await client.apply_offline_answer(file)).valid
        released = await client.release_offline()
        assert license_.answer_offline(released.text).state == "Released"


# The network.


def test_a_machine_without_any_network(
    options: dict[str, Any], license_: FakeLicense, tmp_path: Path
) -> None:
    unshare = ["unshare", "--net"]
    try:
        subprocess.run([*unshare, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a network namespace cannot be created here")
    given = [
        item for name, value in options.items() for item in (f"--{name.replace('_', '-')}", value)
    ]

    def licet(action: str, *more: str) -> subprocess.CompletedProcess[str]:
        command = [*unshare, sys.executable, "-m", "licet.cli", "offline", action, *given, *more]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    answer = license_.answer_offline(licet("request", "-").stdout)
    (tmp_path / "answer.bin").write_bytes(answer.file or b"")
    assert licet("apply", str(tmp_path / "answer.bin")).stdout.startswith("valid")
    released = licet("release", "-").stdout
    assert license_.answer_offline(released).state == "Released"
    assert licet("apply", str(tmp_path / "answer.bin")).returncode == 2
    with LicenseClient(**options) as client:
        assert client.validate_offline().status == "ActivationRequired"
