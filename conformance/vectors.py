"""The checks that come from vectors: one for each case, in ``../vectors``."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from conformance.proofs import open_proof
from conformance.world import HARDWARE, World, seconds_between

FOLDER = Path(__file__).resolve().parents[1] / "vectors"
EARLY = 0.02
"""Seconds by which a clock of another process may be off."""
TRAVEL = 0.3
"""Seconds that one heartbeat may take longer to the server than the next."""

Case = Mapping[str, Any]
Check = Callable[[World], None]


@cache
def load(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def named_cases() -> Iterator[tuple[str, Check]]:
    """Every case of every file as ``file:name``, with its check."""
    keys = load("keys")
    for group, check in _KEY_CHECKS.items():
        for number, case in enumerate(keys[group], 1):
            yield f"keys:{group}-{number}", partial(check, case)
    for number, case in enumerate(load("derive-key"), 1):
        yield f"derive-key:{number}", partial(check_derived_key, case)
    for group, check in _VERSION_CHECKS.items():
        for number, case in enumerate(load("versions")[group], 1):
            kind = "not-comparable" if case.get("order", 0) is None else group
            yield f"versions:{kind}-{number}", partial(check, case)
    from conformance.offline_vectors import GROUPS  # noqa: PLC0415 - uses what is below

    for file, group, prefix, check in (*_GROUPS, *GROUPS):
        for case in load(file)[group]:
            yield f"{prefix}{case['name']}", partial(check, case)
    for file, check in _FILE_CHECKS.items():
        for case in load(file)["cases"]:
            yield f"{file}:{case['name']}", partial(check, case)


def checks_of(patterns: list[str]) -> list[tuple[str, Check]]:
    """The cases that one of the patterns selects."""
    return [
        (label, check)
        for label, check in named_cases()
        if any(fnmatchcase(label, pattern) for pattern in patterns)
    ]


def decoded(text: str) -> bytes:
    """base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(raw: bytes) -> str:
    """base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def expect(actual: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Check the fields that are expected."""
    found = {name: actual.get(name) for name in expected}
    assert found == dict(expected), f"{found} instead of {dict(expected)}"


# Keys and versions.


def check_valid_key(case: Case, world: World) -> None:
    form = world.driver.call("normal_form", licenseKey=case["input"])
    expect(form, {"normalForm": case["normalForm"], "hash": case["hash"], "generated": True})


def check_key_with_wrong_symbol(text: str, world: World) -> None:
    form = world.driver.call("normal_form", licenseKey=text)
    expect(form, {"normalForm": text, "generated": False})


def check_imported_key(case: Case, world: World) -> None:
    form = world.driver.call("normal_form", licenseKey=case["input"])
    expect(form, {"normalForm": case["normalForm"]})


def check_malformed_key(text: str, world: World) -> None:
    error = world.driver.error("normal_form", licenseKey=text)
    expect(error, {"code": "Configuration"})


def check_derived_key(case: Case, world: World) -> None:
    given = {"licenseKey": case["licenseKey"], "salt": case["salt"]}
    expect(world.driver.call("derive_key", **given), {"derivedKey": case["derivedKey"]})


def check_order(case: Case, world: World) -> None:
    given = {"left": case["left"], "right": case["right"]}
    expect(world.driver.call("compare_versions", **given), {"order": case["order"]})


def check_coverage(case: Case, world: World) -> None:
    given = {"releaseVersion": case["releaseVersion"], "appVersion": case["appVersion"]}
    expect(world.driver.call("release_allows", **given), {"allowed": case["allowed"]})


def check_sentence(case: Case, world: World) -> None:
    given = {name: case[name] for name in ("code", "language", "values")}
    expect(world.driver.call("sentence", **given), {"sentence": case["sentence"]})


# Files and verdicts.


def offline_config(world: World, data: Mapping[str, Any], case: Case) -> dict[str, Any]:
    names = (
        "productId",
        "licenseKey",
        "hardwareId",
        "appVersion",
        "appReleasedAt",
        "gracePeriodDays",
        "testMode",
    )
    given = {name: case.get(name) for name in names}
    return {
        **{name: value for name, value in given.items() if value is not None},
        "publicKey": data["publicKeyPem"],
        "licenseFile": str(world.folder / "license.bin"),
    }


def check_file(case: Case, world: World) -> None:
    driver, config = world.driver, offline_config(world, load("files"), case)
    driver.call("set_clock", now=case["at"])
    client = driver.call("create_client", config=config)["client"]
    driver.call("install_file", client=client, text=case["file"], keptVerdict=case["keptVerdict"])
    result = driver.call("verify_offline", client=client)
    expect(result, case["expected"])
    if "entitlements" in case:
        expect(result["license"], {"entitlements": case["entitlements"]})


def check_covered_file(case: Case, world: World) -> None:
    driver, config = world.driver, offline_config(world, load("files"), case)
    driver.call("set_clock", now=case["at"])
    client = driver.call("create_client", config=config)["client"]
    driver.call("install_file", client=client, text=case["file"])
    result = driver.call("verify_offline", client=client)
    expect(result, case["expected"])
    license_, in_fallback = result["license"], case["inFallback"]
    assert license_["inFallback"] is in_fallback, f"inFallback is not {in_fallback}"
    for name in ("updatesUntil", "fallbackUntil"):
        found, wanted = (value and parsed(value) for value in (license_[name], case[name]))
        assert found == wanted, f"{name} is {found} instead of {wanted}"
    if result["valid"]:
        assert "expire" not in result["message"].lower(), f"it says {result['message']!r}"


def parsed(moment: str) -> datetime:
    """A time, which one SDK writes with milliseconds and another without."""
    return datetime.fromisoformat(moment)


def check_folder(case: Case, world: World) -> None:
    for number, file in enumerate(case["files"]):
        path = world.folder / file["name"]
        path.write_text(file["text"])
        os.utime(path, (number, number))
    data, driver = load("folders"), world.driver
    config = {"publicKey": data["publicKeyPem"], "stateFolder": str(world.folder)} | {
        name: case[name] for name in ("productId", "licenseKey", "hardwareId")
    }
    driver.call("set_clock", now=case["at"])
    client = driver.call("create_client", config=config)["client"]
    for attempt in ("once", "again"):
        result = driver.call("verify_offline", client=client)
        expect(result, case["expected"])
        name = (result["license"] or {}).get("name") if case["licenseName"] else None
        assert name == case["licenseName"], f"{attempt} it reads {name}"


def check_verdict(case: Case, world: World) -> None:
    driver, data = world.driver, load("verdicts")
    config = {
        "productId": case["request"]["productId"],
        "publicKey": data["publicKey"],
        "testMode": case.get("testMode"),
        "licenseFile": str(world.folder / "license.bin"),
    }
    driver.call("set_clock", now=case["at"])
    given = {"config": config, "request": case["request"], "token": case["token"]}
    expect(driver.call("verify_verdict", **given), case["expected"])


def check_release(case: Case, world: World) -> None:
    names = ("nonce", "licenseKey", "currentVersion", "releasedAt", "channel", "platform")
    config = {
        "productId": case["productId"],
        "publicKey": load("releases")["publicKeyPem"],
        "licenseFile": str(world.folder / "license.bin"),
    }
    request = {name: case[name] for name in names}
    given = {"config": config, "request": request, "response": case["response"]}
    expect(world.driver.call("verify_update", **given), {"accepted": case["accepted"]})


def check_clock(case: Case, world: World) -> None:
    driver, data = world.driver, load("clock")
    config = {
        "productId": data["productId"],
        "publicKey": data["publicKey"],
        "hardwareId": HARDWARE,
        "licenseFile": str(world.folder / "license.bin"),
    }
    for number, step in enumerate(case["steps"], 1):
        is_last = number == len(case["steps"])
        driver.call("set_clock", now=step["at"])
        client = driver.call("create_client", config=config)["client"]
        text = case.get("replacedBy") if is_last else None
        if number == 1 or text is not None:
            driver.call("install_file", client=client, text=text or case["file"])
        result = driver.call("verify_offline", client=client)
        found = {"status": result["status"], "warns": bool(result["warnings"])}
        expect(found, step["expected"])
        driver.call("close", client=client)


def check_truth(case: Case, world: World) -> None:
    world.set_time(case["issuedAt"])
    license_ = world.issue(activationMode=case["activationMode"])
    found = []
    for step in case["steps"]:
        world.control("POST", "/clock", now=step["serverAt"], frozen=True)
        world.driver.call("set_clock", now=step["at"])
        if step["vendor"] is not None:
            world.vendor(license_, step["vendor"])
        client = world.client(license_)
        found.append(world.driver.call(step["operation"], client=client)["status"])
        world.driver.call("close", client=client)
    wanted = [step["expected"] for step in case["steps"]]
    assert found == wanted, f"the statuses are {found} instead of {wanted}"


# Device keys.


def check_proof(case: Case, world: World) -> None:
    key = next(item for item in load("proofs")["keys"] if item["name"] == case["key"])
    world.driver.call("set_clock", now=case["at"])
    request = {name: case[name] for name in ("method", "url", "body")}
    made = world.driver.call("prove_request", key=key["privateKey"], **request)
    expect(made, {"jkt": key["jkt"]})
    header, claims = open_proof(made["proof"])
    claims.pop("jti")
    assert header == case["header"], f"the header is {header}"
    assert claims == case["claims"], f"the claims are {claims}"


def check_bound_file(case: Case, world: World) -> None:
    if case["deviceKey"] is not None:
        (world.folder / "device-key.json").write_text(json.dumps(case["deviceKey"]))
    config = offline_config(world, load("proofs"), case)
    world.driver.call("set_clock", now=case["at"])
    client = world.driver.call(
        "create_client", config={**config, "stateFolder": str(world.folder)}
    )["client"]
    world.driver.call("install_file", client=client, text=case["file"])
    result = world.driver.call("verify_offline", client=client)
    expect(result, case["expected"])


def check_lease(case: Case, world: World) -> None:
    if case["deviceKey"] is not None:
        (world.folder / "device-key.json").write_text(json.dumps(case["deviceKey"]))
    product = sha256(case["productId"].encode()).hexdigest()[:8]
    lease = world.folder / f"license-{product}.lease"
    lease.write_text(json.dumps({"token": case["token"]}))
    config = offline_config(world, load("leases"), case)
    world.driver.call("set_clock", now=case["at"])
    client = world.driver.call(
        "create_client", config={**config, "stateFolder": str(world.folder)}
    )["client"]
    result = world.driver.call("verify_offline", client=client)
    ends_at = result["leaseEndsAt"] and parsed(result["leaseEndsAt"])
    expected = case["expected"]["leaseEndsAt"] and parsed(case["expected"]["leaseEndsAt"])
    expect(result, {name: case["expected"][name] for name in ("valid", "status")})
    assert ends_at == expected, f"it ends at {ends_at} instead of {expected}"


def credits_client(case: Case, world: World) -> str:
    """A client whose folder has the credits of a case, and their journal."""
    if case["deviceKey"] is not None:
        (world.folder / "device-key.json").write_text(json.dumps(case["deviceKey"]))
    kept = {"token": case["token"], "reported": case.get("reported", 0)}
    credits_file(world, case["productId"], ".credits").write_text(json.dumps(kept))
    if case["journal"] is not None:
        journal = credits_file(world, case["productId"], ".journal")
        journal.write_bytes(case["journal"].encode())
    config = offline_config(world, load("leases"), case)
    world.driver.call("set_clock", now=case["at"])
    made = world.driver.call("create_client", config={**config, "stateFolder": str(world.folder)})
    client: str = made["client"]
    return client


def credits_file(world: World, product_id: str, suffix: str) -> Path:
    return world.folder / f"license-{sha256(product_id.encode()).hexdigest()[:8]}{suffix}"


def check_credits(case: Case, world: World) -> None:
    client = credits_client(case, world)
    result = world.driver.call("verify_offline", client=client)
    expected = case["expected"]
    expect(result, {name: expected[name] for name in ("valid", "status")})
    ends_at = result["leaseEndsAt"] and parsed(result["leaseEndsAt"])
    assert ends_at == (expected["leaseEndsAt"] and parsed(expected["leaseEndsAt"]))
    found = world.driver.call("reserved_credits", client=client)
    if expected["reserved"] is None:
        assert found["leaseId"] is None, "there are credits"
        return
    wanted = expected["reserved"]
    expect(found, {name: wanted[name] for name in ("leaseId", "seq", "unreported")})
    assert parsed(found["endsAt"]) == parsed(wanted["endsAt"]), f"they end at {found['endsAt']}"
    for name in ("amount", "spent", "remaining"):
        assert Decimal(found[name]) == Decimal(wanted[name]), f"{name} is {found[name]}"


def check_chain(case: Case, world: World) -> None:
    lease_id = json.loads(decoded(case["token"].split(".")[1]))["jti"]
    client = credits_client({**case, "journal": f"{lease_id}\n"}, world)
    for charge in case["charges"]:
        world.driver.call("set_clock", now=charge["at"])
        given = {name: value for name, value in charge.items() if name != "at"}
        made = world.driver.call("consume", client=client, **given)
        expect(made, {"reserved": True, "replayed": False})
    journal = world.read(credits_file(world, case["productId"], ".journal"))
    assert journal, "there is no journal"
    first, *lines, rest = journal.split("\n")
    assert (first, rest) == (lease_id, ""), "it has another form"
    assert len(lines) == len(case["lines"]), f"it has {len(lines)} lines"
    before = case["genesis"]
    for line, wanted in zip(lines, case["lines"], strict=True):
        found = json.loads(line)
        assert list(found.items()) == list({**json.loads(wanted), "prev": before}.items()), line
        spellings = [
            json.dumps(found, separators=(",", ":"), ensure_ascii=escaped)
            for escaped in (False, True)
        ]
        assert line in spellings, f"the line is written otherwise: {line}"
        before = encoded(sha256(line.encode()).digest())
    found = world.driver.call("reserved_credits", client=client)
    assert Decimal(found["spent"]) == Decimal(case["spent"]), f"{found['spent']} were spent"


# Machines and settings.


def check_machine(case: Case, world: World) -> None:
    folder = world.folder / "state"
    folder.mkdir()
    if case["stored"] is not None:
        (folder / "licet-device-id").write_text(case["stored"])
    given = {
        "productId": case["productId"],
        "facts": case["facts"],
        "stateFolder": str(folder),
        "ciHardwareId": case["ciHardwareId"],
    }
    first = world.driver.call("hardware_id", **given)
    expected = {name: value for name, value in case["expected"].items() if value is not None}
    expect(first, expected)
    again = world.driver.call("hardware_id", **given)
    assert again["hardwareId"] == first["hardwareId"], "another ID at the second time"


def check_components(case: Case, world: World) -> None:
    given = {"productId": case["productId"], "facts": case["facts"]}
    expect(world.driver.call("components", **given), {"components": case["components"]})


def check_recognized_file(case: Case, world: World) -> None:
    data, driver = load("hardware"), world.driver
    if case["deviceKey"] is not None:
        (world.folder / "device-key.json").write_text(json.dumps(case["deviceKey"]))
    machine = next(item for item in data["components"] if item["name"] == case["machine"])
    config = {**offline_config(world, data, case), "stateFolder": str(world.folder)}
    driver.call("set_clock", now=case["at"])
    client = driver.call("create_client", config=config, facts=machine["facts"])["client"]
    driver.call("install_file", client=client, text=case["file"])
    expect(driver.call("verify_offline", client=client), case["expected"])


def check_settings(case: Case, world: World) -> None:
    folder = world.folder / "application"
    folder.mkdir()
    for name, text in case["files"].items():
        (folder / name).write_bytes(text.encode())
    given = {"folder": str(folder)}
    if "error" in case["expected"]:
        error = world.driver.error("load_settings", **given)
        expect(error, {"code": case["expected"]["error"]})
        return
    options = {
        name: value.replace("{folder}", str(folder)) if isinstance(value, str) else value
        for name, value in case["expected"]["options"].items()
    }
    read = world.driver.call("load_settings", **given)
    assert read["file"] == case["expected"]["file"], f"read {read['file']}"
    assert read["options"] == options, f"{read['options']} instead of {options}"


# Requests, retries and heartbeats.


def check_request(case: Case, world: World) -> None:
    expected, terms = case["expected"], dict(case["license"])
    license_ = world.issue(terms.pop("type"), **terms)
    client = world.client(license_, **case["config"])
    if case["operation"] == "disconnect":
        session = world.driver.call("connect", client=client)["session"]
        world.driver.call("disconnect", session=session)
    else:
        arguments = {"client": client, **case["arguments"]}
        world.driver.call(case["operation"], **arguments)
    if case["operation"] == "track":
        world.driver.call("close", client=client)
    entry = world.requests(expected["path"])[-1]
    assert entry["method"] == expected["method"], f"the method is {entry['method']}"
    headers = {
        name.lower(): value.replace("{productApiKey}", world.product["productApiKey"])
        for name, value in expected["headers"].items()
    }
    sent = entry["headers"]
    expect({**sent, "content-type": sent.get("content-type", "").partition(";")[0]}, headers)
    missing = [name for name in expected["anyHeader"] if not sent.get(name.lower())]
    assert not missing, f"headers are missing: {missing}"
    check_body(entry["query"] if entry["body"] is None else entry["body"], expected)


def check_body(body: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    given = {name: value for name, value in body.items() if value is not None}
    missing = [name for name in expected["anyValue"] if not given.pop(name, None)]
    assert not missing, f"fields are missing: {missing}"
    for name in expected["optional"]:
        given.pop(name, None)
    assert given == expected["body"], f"{given} instead of {expected['body']}"


def check_retry(case: Case, world: World) -> None:
    consumes = case["operation"] == "consume"
    path = "/meter/consume" if consumes else "/licenses/validate"
    if case.get("at"):
        world.set_time(case["at"])
    license_ = world.issue("MeteredCount", initialMeterBalance=100) if consumes else world.issue()
    client = world.client(license_, timeoutSeconds=10)
    for reply in case["replies"]:
        world.fault(path, **reply)
    arguments = {"featureName": "export", "idempotencyKey": "order-1"} if consumes else {}
    response = world.driver.ask(case["operation"], client=client, **arguments)
    expected = case["expected"]
    code = response.get("error", {}).get("code")
    assert code == expected["error"], f"the outcome is {response}"
    attempts = world.requests(path)
    assert len(attempts) == expected["attempts"], f"{len(attempts)} attempts"
    for pause, minimum in zip(seconds_between(attempts), expected["minimumPauses"], strict=True):
        assert pause >= minimum - EARLY, f"waited {pause:.2f} s instead of {minimum:g} s"
    assert len({json.dumps(entry["body"], sort_keys=True) for entry in attempts}) == 1, (
        "the attempts differ"
    )


def check_heartbeats(case: Case, world: World) -> None:
    world.reset(
        heartbeatIntervalSeconds=case["intervalSeconds"],
        sessionTimeoutSeconds=case["timeoutSeconds"],
        heartbeatSpacingSeconds=0,
    )
    license_ = world.issue("Floating", maxActiveUsersCount=1)
    client = world.client(license_)
    for reply in case["replies"]:
        world.fault("/sessions/heartbeat", **reply)
    expected = case["expected"]
    session = world.driver.call("connect", client=client, instanceId="one")["session"]

    def state() -> dict[str, Any]:
        return world.driver.call("session_state", session=session)

    def events() -> list[str]:
        return [item.get("error", {}).get("code") or item["event"] for item in state()["events"]]

    wanted = expected["requests"]
    reached = world.wait_for(
        lambda: len(world.requests()) >= len(wanted) and len(events()) >= len(expected["events"])
    )
    entries = world.requests()[: len(wanted)]
    assert reached, f"the requests are {[entry['path'] for entry in entries]}, events {events()}"
    assert [entry["path"] for entry in entries] == wanted
    for gap, minimum in zip(seconds_between(entries), expected["minimumGaps"], strict=True):
        wait = f"waited {gap:.2f} s instead of {minimum} s"
        assert minimum is None or gap >= minimum - TRAVEL, wait
    assert events() == expected["events"], f"the events are {events()}"
    assert state()["alive"] is expected["alive"], "the session is in the wrong state"


_KEY_CHECKS: Mapping[str, Any] = {
    "valid": check_valid_key,
    "invalidCheck": check_key_with_wrong_symbol,
    "imported": check_imported_key,
    "malformed": check_malformed_key,
}
_VERSION_CHECKS: Mapping[str, Any] = {"order": check_order, "covered": check_coverage}
_GROUPS: tuple[tuple[str, str, str, Any], ...] = (
    ("proofs", "sent", "proofs:sent-", check_proof),
    ("proofs", "files", "proofs:", check_bound_file),
    ("hardware", "components", "components:", check_components),
    ("hardware", "files", "components:", check_recognized_file),
    ("leases", "tokens", "leases:", check_lease),
    ("leases", "credits", "credits:", check_credits),
    ("journals", "chains", "journals:chain-", check_chain),
    ("journals", "files", "journals:found-", check_credits),
)
_FILE_CHECKS: Mapping[str, Any] = {
    "files": check_file,
    "folders": check_folder,
    "coverage": check_covered_file,
    "verdicts": check_verdict,
    "releases": check_release,
    "clock": check_clock,
    "truth": check_truth,
    "hardware": check_machine,
    "settings": check_settings,
    "requests": check_request,
    "retries": check_retry,
    "heartbeats": check_heartbeats,
    "sentences": check_sentence,
}
