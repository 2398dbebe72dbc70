"""Files, settings and the environment: what needs no server."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
import sys
from base64 import urlsafe_b64encode
from pathlib import Path

from conformance.requirements import proves
from conformance.targets import UnsupportedError
from conformance.vectors import expect, load
from conformance.world import HARDWARE, World

GOOD = next(case for case in load("files")["cases"] if case["name"] == "good")
GENERATED = load("keys")["valid"][0]["normalForm"]
PROTECTED = next(case for case in load("files")["cases"] if case["name"] == "protected")


def offline_config(world: World, **changes: object) -> dict[str, object]:
    config = {
        "productId": GOOD["productId"],
        "publicKey": load("files")["publicKey"],
        "licenseFile": str(world.folder / "license.bin"),
        "hardwareId": HARDWARE,
        **changes,
    }
    return {name: value for name, value in config.items() if value is not None}


@proves("LIC-OFF-020")
def check_an_offline_verification_sends_nothing(world: World) -> None:
    license_ = world.issue(activationMode="Offline")
    client = world.client(license_)
    file = world.vendor(license_, "file")["file"]
    world.driver.call("install_file", client=client, text=file)
    world.clear_log()
    assert world.driver.call("verify_offline", client=client)["status"] == "Valid"
    assert world.requests() == [], "a request was sent"


@proves("LIC-OFF-021")
def check_without_a_file(world: World) -> None:
    client = world.driver.call("create_client", config=offline_config(world))["client"]
    result = world.driver.call("verify_offline", client=client)
    expect(result, {"status": "LicenseNotFound", "valid": False})


@proves("LIC-PRO-004")
def check_a_protected_file_without_a_key(world: World) -> None:
    client = world.driver.call("create_client", config=offline_config(world))["client"]
    world.driver.call("install_file", client=client, text=PROTECTED["file"])
    expect(world.driver.error("verify_offline", client=client), {"code": "Configuration"})


FORGED = {
    "highWater": ["1e20", "-1e20", "1e400", "true", '"x"', "{}"],
    "utcOffset": ["1e20", "-1e20", "1e400", "true", "[]"],
    "anchor": ["1e20", "-62135596801", '"x"'],
    "answers": ["-1", "1e20", "1.5", "9" * 400, "null"],
    "refusals": ["null", "{}", "[1]", '[{"keyHash": 1, "token": 2}]'],
    "nextCheck": ["1e20", "[]"],
    "verdict": ["1", '"a.b.c"'],
}


@proves("LIC-OFF-025")
def check_a_forged_state(world: World) -> None:
    """Anyone who can run code on the machine can compute the key of the state's MAC."""
    data = load("verdicts")
    tokens = {case["name"]: case["token"] for case in data["cases"]}
    replaced = {case["name"]: case["file"] for case in load("files")["cases"]}
    hashed = urlsafe_b64encode(hashlib.sha256(GENERATED.encode()).digest()).rstrip(b"=").decode()
    head, body, signature = tokens["refused-Revoked"].split(".")
    forged = [
        {"status": "Revoked", "keyHash": hashed, "at": 4e9},
        {"keyHash": hashed, "token": "Revoked"},
        {"keyHash": hashed, "token": f"{head}.{body}.{signature[::-1]}"},
        {"keyHash": hashed, "token": replaced["file-replaced-elsewhere"]},
        {"keyHash": hashed, "token": tokens["good"]},
        {"keyHash": "", "token": tokens["refused-Revoked"]},
    ]
    world.driver.call("set_clock", now=GOOD["at"])
    states = [(name, text) for name, texts in FORGED.items() for text in texts]
    states += [("refusals", json.dumps([item])) for item in forged]
    config = offline_config(world, stateFolder=str(world.folder))
    product = hashlib.sha256(GOOD["productId"].encode()).hexdigest()[:8]
    path = world.folder / f"license-{product}.state"
    key = hashlib.sha256(f"licet/state/v1\0{GOOD['productId']}\0{HARDWARE}".encode()).digest()
    made = world.driver.call("create_client", config=config)["client"]
    world.driver.call("install_file", client=made, text=GOOD["file"])
    expect(world.driver.call("verify_offline", client=made), {"status": "Valid"})
    stored = json.loads(json.loads(world.read(path) or "{}")["state"])
    for name, text in states:
        state = json.dumps({**stored, name: "?"}).replace('"?"', text)
        mac = hmac.new(key, state.encode(), hashlib.sha256).hexdigest()
        path.write_text(json.dumps({"v": 4, "state": state, "mac": mac}))
        client = world.driver.call("create_client", config=config)["client"]
        result = world.driver.call("verify_offline", client=client, case="forged")
        expect(result, {"status": "Valid"})


@proves("LIC-SET-005")
def check_the_code_wins_over_the_file(world: World) -> None:
    license_ = world.issue()
    folder = world.folder / "application"
    folder.mkdir()
    stated = {"ProductApiKey": "pk_of_the_file", "AppVersion": "7.0.0", "DeviceName": "of the file"}
    (folder / "licet.json").write_text(json.dumps(stated))
    config = world.config(license_, appVersion="1.0.0")
    made = world.driver.call("create_client", config=config, settingsFolder=str(folder))
    world.driver.call("validate_online", client=made["client"])
    [sent] = world.requests("/licenses/validate")
    assert sent["body"]["appVersion"] == "1.0.0", "the version is the file's"
    assert sent["body"]["deviceName"] == "of the file", "the file was not read"
    assert sent["headers"]["x-api-key"] == world.product["productApiKey"], "the key is the file's"


@proves("LIC-SET-006")
def check_a_public_key_from_the_file(world: World) -> None:
    folder = world.folder / "application"
    folder.mkdir()
    (folder / "licet.json").write_text(json.dumps({"PublicKey": load("files")["publicKey"]}))
    config = offline_config(world, publicKey=None)
    made = world.driver.call("create_client", config=config, settingsFolder=str(folder))
    client = made["client"]
    world.driver.call("set_clock", now=GOOD["at"])
    world.driver.call("install_file", client=client, text=GOOD["file"])
    result = world.driver.call("verify_offline", client=client)
    assert result["status"] == "Valid", result["status"]
    assert result["warnings"], "there is no warning"
    strict = {**config, "trustSettings": False}
    error = world.driver.error("create_client", config=strict, settingsFolder=str(folder))
    expect(error, {"code": "Configuration"})


@proves("LIC-SET-007")
def check_an_address_without_https(world: World) -> None:
    for address in ("http://licenses.example.com/api", "http://10.0.0.7/api"):
        config = offline_config(world, serverBaseEndpoint=address, productApiKey="pk_1")
        error = world.driver.error("create_client", config=config)
        expect(error, {"code": "Configuration"})
    config = offline_config(world, serverBaseEndpoint="http://127.0.0.1:9/api")
    world.driver.call("create_client", config=config)


FACTS = (
    "/etc/machine-id",
    "/var/lib/dbus/machine-id",
    "/.dockerenv",
    "/run/.containerenv",
    "/proc/1/cgroup",
    "/proc/self/mountinfo",
)


def text_of(path: str) -> str | None:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return "" if Path(path).exists() else None


@proves("LIC-HWD-007")
def check_this_machine(world: World) -> None:
    """What the vectors prove of given machines, on the one that the suite runs on."""
    if not sys.platform.startswith("linux"):
        raise UnsupportedError("the suite reads the facts of Linux machines only")
    texts = {path: text_of(path) for path in FACTS}
    facts = {
        "platform": "linux",
        "files": {path: text for path, text in texts.items() if text is not None},
        "environment": dict(os.environ),
        "hostName": socket.gethostname(),
    }
    config = offline_config(world, hardwareId=None)
    own = world.driver.call("create_client", config=config)["hardwareId"]
    product, folder = config["productId"], str(world.folder)
    given = {"productId": product, "facts": facts, "stateFolder": folder}
    found = world.driver.call("hardware_id", **given)["hardwareId"]
    assert own == found, f"the client has {own}, the machine {found}"


SENSELESS = {
    "ALL_PROXY": "socks5://127.0.0.1:9",
    "HTTPS_PROXY": "ftp://127.0.0.1:9",
    "NO_PROXY": "::1/128",
    "SSL_CERT_FILE": "/nowhere/certificates.pem",
}


@proves("LIC-NET-011")
def check_senseless_variables(world: World) -> None:
    for name, value in SENSELESS.items():
        driver = world.another_driver(**{name: value, name.lower(): value})
        driver.call("set_clock", now=GOOD["at"])
        client = driver.call("create_client", config=offline_config(world))["client"]
        driver.call("install_file", client=client, text=GOOD["file"])
        result = driver.call("verify_offline", client=client, case=name)
        expect(result, {"status": "Valid"})
