"""The driver of the Python SDK: ``python -m conformance.drivers.python``."""

from __future__ import annotations

import json
import re
import sys
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from licet import (
    BorrowedSeat,
    Device,
    LicenseClient,
    LicetError,
    OfflineRequest,
    ReservedCredits,
    UpdateFile,
    __version__,
    check_code_group,
)
from licet._clock import optional_time, system_clock
from licet._components import find_components
from licet._config import make_config
from licet._device_key import DeviceKey
from licet._disk import write_license
from licet._hardware import CI_JOB, WINDOWS_KEY, find_hardware_id
from licet._jose import RejectedTokenError, decode_segment, derive_file_key
from licet._keys import is_generated_key, key_hash, normal_form
from licet._model import LicenseResult
from licet._release import ReleaseRequest, check_update_answer
from licet._semver import precedence, release_allows
from licet._settings import SETTINGS, read_settings
from licet._verdict import VerdictRequest, verdict_result, verify_verdict
from licet.sentences import sentence

Fields = Mapping[str, Any]

CAPABILITIES = [
    "activations", "causes", "clock", "components", "devices", "downloads", "enrollment",
    "exit", "grace", "hardware", "keys", "leases", "metering", "offline", "offline_requests",
    "open", "proof", "protected", "proxies", "refresh", "reservations", "sentences", "sessions",
    "settings", "signals", "state", "telemetry", "updates", "verdicts", "versions", "watch",
]  # fmt: skip
OPTIONS = {name[0].lower() + name[1:]: option for name, (option, _) in SETTINGS.items()} | {
    "appReleasedAt": "app_released_at",
    "hardwareId": "hardware_id",
    "ciHardwareId": "ci_hardware_id",
    "trustSettings": "trust_settings",
    "testMode": "test_mode",
    "username": "username",
    "password": "password",
}
SETTING_NAMES = {option: name for name, option in OPTIONS.items() if name != "apiKey"}
CREDITS_FIELDS = (
    "reserved", "leaseId", "seq", "amount", "spent", "remaining", "unreported", "endsAt",
)  # fmt: skip
ERROR_FIELDS = (
    "http_status", "error_code", "request_id", "retry_after", "idempotency_key", "seats_used",
    "seats_total", "can_release", "cost", "balance", "replayed", "group",
)  # fmt: skip


@dataclass
class Facts:
    """A machine with these facts."""

    platform: str
    env: Mapping[str, str]
    files: Mapping[str, str]
    printed: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]
    name: str

    @classmethod
    def given(cls, facts: Fields) -> Facts:
        """The facts of a request."""
        guid, values = facts.get("machineGuid"), dict(facts.get("registry") or {})
        if guid is not None:
            values[WINDOWS_KEY] = {"MachineGuid": guid}
        return cls(
            facts["platform"],
            facts.get("environment") or {},
            facts.get("files") or {},
            {name: facts[name] for name in ("ioreg", "diskutil") if facts.get(name)},
            values,
            facts.get("hostName") or "",
        )

    def read(self, path: str) -> str | None:
        return self.files.get(path)

    def exists(self, path: str) -> bool:
        return path in self.files

    def names(self, path: str) -> list[str]:
        inside = (
            file.removeprefix(f"{path}/") for file in self.files if file.startswith(f"{path}/")
        )
        return sorted({name.partition("/")[0] for name in inside})

    def run(self, command: Sequence[str]) -> str | None:
        return self.printed.get(Path(command[0]).name)

    def registry(self, key: str, name: str) -> str | None:
        return self.values.get(key, {}).get(name)

    def host_name(self) -> str:
        return self.name


class Driver:
    """The operations of the protocol, as methods ``op_...`` that take the fields of a request."""

    def __init__(self) -> None:
        self._now: datetime | None = None
        self._things: dict[str, Any] = {}
        self._events: dict[str, list[dict[str, Any]]] = {}
        self._statuses: dict[str, list[str]] = {}
        self._borrowed: dict[str, BorrowedSeat] = {}
        self._reserved: dict[str, ReservedCredits] = {}

    def clock(self) -> datetime:
        return self._now or system_clock()

    def answer(self, request: Fields) -> dict[str, Any]:
        operation: Callable[[Fields], Any] | None = getattr(self, f"op_{request.get('op')}", None)
        if operation is None:
            return {"error": {"code": "UnknownOp"}}
        try:
            return {"ok": operation(request) or {}}
        except LicetError as error:
            return {"error": error_view(error)}
        except ValueError as error:
            return {"error": {"code": "InvalidArgument", "message": str(error)}}
        except Exception as error:  # noqa: BLE001 - the suite judges what the SDK raises
            return {"error": {"code": "Internal", "message": f"{type(error).__name__}: {error}"}}

    def _keep(self, prefix: str, thing: Any) -> str:
        name = f"{prefix}{len(self._things) + 1}"
        self._things[name] = thing
        return name

    def _client(self, request: Fields) -> LicenseClient:
        client: LicenseClient = self._things[request["client"]]
        return client

    # The driver.

    def op_reset(self, _request: Fields) -> None:
        for thing in reversed(self._things.values()):
            thing.close()
        self.__init__()  # type: ignore[misc]

    def op_set_clock(self, request: Fields) -> None:
        given = request.get("now")
        self._now = None if given is None else datetime.fromisoformat(given)

    # Without a client.

    def op_normal_form(self, request: Fields) -> dict[str, Any]:
        normal = normal_form(request["licenseKey"])
        return {
            "normalForm": normal,
            "generated": is_generated_key(normal),
            "hash": key_hash(normal),
        }

    def op_derive_key(self, request: Fields) -> dict[str, Any]:
        key = derive_file_key(normal_form(request["licenseKey"]), decode_segment(request["salt"]))
        return {"derivedKey": urlsafe_b64encode(key).rstrip(b"=").decode()}

    def op_compare_versions(self, request: Fields) -> dict[str, Any]:
        left, right = precedence(request["left"]), precedence(request["right"])
        if left is None or right is None:
            return {"order": None}
        return {"order": (left > right) - (left < right)}

    def op_release_allows(self, request: Fields) -> dict[str, Any]:
        return {"allowed": release_allows(request.get("releaseVersion"), request.get("appVersion"))}

    def op_sentence(self, request: Fields) -> dict[str, Any]:
        values = {name: given_value(name, value) for name, value in request["values"].items()}
        return {"sentence": sentence(request["code"], request["language"], values=values)}

    def op_check_code_group(self, request: Fields) -> dict[str, Any]:
        return {"right": check_code_group(request["index"], request["text"])}

    def op_hardware_id(self, request: Fields) -> dict[str, Any]:
        facts = Facts.given(request["facts"])
        refused = () if request.get("ciHardwareId", True) else (CI_JOB,)
        folder = Path(request["stateFolder"])
        found = find_hardware_id(request["productId"], folder, facts, refused)
        return {"hardwareId": found.value, "source": found.source}

    def op_components(self, request: Fields) -> dict[str, Any]:
        facts = Facts.given(request["facts"])
        return {"components": dict(find_components(request["productId"], facts))}

    def op_load_settings(self, request: Fields) -> dict[str, Any]:
        read = read_settings(Path(request["folder"]))
        options = {
            SETTING_NAMES[option]: str(value) if isinstance(value, Path) else value
            for option, value in read.options.items()
        }
        return {"file": read.path and read.path.name, "options": options}

    def op_verify_verdict(self, request: Fields) -> dict[str, Any]:
        asked = request["request"]
        config = make_config(self._options(request["config"]))
        question = VerdictRequest(
            asked["productId"],
            normal_form(asked["licenseKey"]),
            asked["hardwareId"],
            asked["nonce"],
            config.test_mode,
        )
        try:
            verdict = verify_verdict(request["token"], config.public_keys, question, self.clock())
        except RejectedTokenError:
            return {"valid": False, "status": "SignatureMismatch"}
        result = verdict_result(verdict, now=self.clock(), request_id=None)
        return {"valid": result.valid, "status": str(result.status)}

    def op_verify_update(self, request: Fields) -> dict[str, Any]:
        asked, config = request["request"], make_config(self._options(request["config"]))
        key = asked.get("licenseKey")
        question = ReleaseRequest(
            config.product_id,
            asked["nonce"],
            asked["channel"],
            asked["platform"],
            asked["currentVersion"],
            optional_time(asked["releasedAt"]),
            None if key is None else key_hash(normal_form(key)),
        )
        try:
            check_update_answer(request["response"], config.public_keys, question)
        except RejectedTokenError:
            return {"accepted": False}
        return {"accepted": True}

    def op_prove_request(self, request: Fields) -> dict[str, Any]:
        key = DeviceKey.parse(json.dumps(request["key"]).encode())
        body = (request.get("body") or "").encode()
        proof = key.proof(request["method"], request["url"], body, self.clock())
        return {"proof": proof, "jkt": key.jkt}

    # Clients.

    def _options(self, config: Fields) -> dict[str, Any]:
        given = {OPTIONS[name]: value for name, value in config.items() if value is not None}
        days = given.pop("grace_period_days", None)
        if days is not None:
            given["grace_period"] = timedelta(days=days)
        if "app_released_at" in given:
            given["app_released_at"] = datetime.fromisoformat(given["app_released_at"])
        return {**given, "clock": self.clock}

    def op_create_client(self, request: Fields) -> dict[str, Any]:
        options: Any = self._options(request["config"])
        folder = request.get("settingsFolder")
        client = (
            LicenseClient(**options)
            if folder is None
            else LicenseClient.from_settings(folder, **options)
        )
        if request.get("facts") is not None:
            client._core.machine = Facts.given(request["facts"])
        return {"client": self._keep("client-", client), "hardwareId": client.hardware_id}

    def op_identity(self, request: Fields) -> dict[str, Any]:
        return dict(plain(self._client(request).identity()))

    def op_install_file(self, request: Fields) -> None:
        core, text = self._client(request)._core, request.get("text")
        if text is None:
            core.config.license_file.unlink(missing_ok=True)
        else:
            write_license(core.config.license_file, text.encode())
        kept = request.get("keptVerdict")
        if kept is not None:
            core.store.update(lambda state: replace(state, verdict=kept))

    def op_stored_file(self, request: Fields) -> dict[str, Any]:
        return {"text": self._client(request)._core.read_file()}

    def op_verify_offline(self, request: Fields) -> dict[str, Any]:
        return result_view(self._client(request).validate_offline())

    def op_validate(self, request: Fields) -> dict[str, Any]:
        return result_view(self._client(request).validate())

    def op_validate_online(self, request: Fields) -> dict[str, Any]:
        return result_view(self._client(request).validate_online())

    def op_refresh(self, request: Fields) -> dict[str, Any]:
        return result_view(self._client(request).refresh())

    def op_activate(self, request: Fields) -> dict[str, Any]:
        activation = self._client(request).activate(
            device_name=request.get("deviceName"), metadata=request.get("metadata")
        )
        view = plain(activation)
        return {"activationId": view.pop("id"), **view}

    def op_deactivate(self, request: Fields) -> None:
        self._client(request).deactivate()

    def op_devices(self, request: Fields) -> dict[str, Any]:
        found = self._client(request).devices()
        items = [device_view(device) for device in found]
        return {"items": items, "releasesLeft": found.releases_left}

    def op_release_device(self, request: Fields) -> dict[str, Any]:
        return device_view(self._client(request).release_device(Device(request["device"])))

    def op_consume(self, request: Fields) -> dict[str, Any]:
        arguments = {"idempotency_key": request.get("idempotencyKey")}
        thing = self._things[request.get("license") or request["client"]]
        if "client" in request:
            arguments["activation_id"] = request.get("activationId")
        charge = thing.consume(request["featureName"], request.get("quantity", 1), **arguments)
        return dict(plain(charge))

    def op_offline_request(self, request: Fields) -> dict[str, Any]:
        made = self._client(request).offline_request(renew=request.get("renew") is True)
        return request_view(made, request)

    def op_apply_offline_answer(self, request: Fields) -> dict[str, Any]:
        file = request.get("file")
        answer = request["code"] if file is None else file.encode()
        return result_view(self._client(request).apply_offline_answer(answer))

    def op_release_offline(self, request: Fields) -> dict[str, Any]:
        made = self._client(request).release_offline()
        return {**request_view(made, request), "code": made.code}

    def op_reserve(self, request: Fields) -> dict[str, Any]:
        return self._keep_reserved(
            self._client(request).reserve(request["credits"], request["days"])
        )

    def op_reserved_credits(self, request: Fields) -> dict[str, Any]:
        return self._keep_reserved(self._client(request).reserved_credits())

    def op_report_credits(self, request: Fields) -> dict[str, Any]:
        self._reserved[request["reserved"]].report()
        return credits_view(request["reserved"], self._reserved[request["reserved"]])

    def op_renew_credits(self, request: Fields) -> dict[str, Any]:
        renewed = self._reserved[request["reserved"]].renew(request["days"])
        return credits_view(request["reserved"], renewed)

    def op_return_credits(self, request: Fields) -> None:
        self._reserved[request["reserved"]].return_()

    def _keep_reserved(self, held: ReservedCredits | None) -> dict[str, Any]:
        if held is None:
            return dict.fromkeys(CREDITS_FIELDS)
        name = f"reserved-{len(self._reserved) + 1}"
        self._reserved[name] = held
        return credits_view(name, held)

    def op_balance(self, request: Fields) -> dict[str, Any]:
        return dict(plain(self._client(request).balance()))

    def op_check_update(self, request: Fields) -> dict[str, Any]:
        update = self._client(request).check_for_update(
            channel=request.get("channel") or "Stable", platform=request.get("platform")
        )
        view = plain(update)
        files = [{**item, "sizeBytes": item.pop("size")} for item in view["files"]]
        return {"updateAvailable": view.pop("available"), **view, "files": files}

    def op_download(self, request: Fields) -> dict[str, Any]:
        item = request["file"]
        file = UpdateFile(
            name=item["name"],
            platform=item.get("platform"),
            size=item["sizeBytes"],
            sha256=item["sha256"],
            channel=item["channel"],
            download_url=item["downloadUrl"],
        )
        return {"path": str(self._client(request).download(file, request["path"]))}

    def op_track(self, request: Fields) -> None:
        self._client(request).track(request["name"], **(request.get("properties") or {}))

    def op_watch(self, request: Fields) -> dict[str, Any]:
        statuses: list[str] = []
        watch = self._client(request).watch(
            lambda result: statuses.append(str(result.status)),
            interval=timedelta(seconds=request["intervalSeconds"]),
        )
        name = self._keep("watch-", watch)
        self._statuses[name] = statuses
        return {"watch": name}

    def op_close(self, request: Fields) -> None:
        self._things.pop(request["client"]).close()

    # Open licenses, sessions and watches.

    def op_open(self, request: Fields) -> dict[str, Any]:
        license_ = self._client(request).open()
        return self.op_license_state({"license": self._keep("license-", license_)})

    def op_license_state(self, request: Fields) -> dict[str, Any]:
        license_ = self._things[request["license"]]
        balance = license_.balance
        return {
            "license": request["license"],
            "status": str(license_.status),
            "type": str(license_.type),
            "features": plain(license_.features),
            "seat": plain(license_.seat),
            "balance": None if balance is None else plain(balance.balance),
            "graceEndsAt": plain(license_.grace_ends_at),
            "warnings": list(license_.warnings),
        }

    def op_release(self, request: Fields) -> None:
        self._things[request["license"]].release()

    def op_close_license(self, request: Fields) -> None:
        self._things[request["license"]].close()

    def op_connect(self, request: Fields) -> dict[str, Any]:
        events: list[dict[str, Any]] = []
        session = self._client(request).session(
            instance_id=request.get("instanceId"),
            on_lost=lambda error: events.append({"event": "lost", "error": error_view(error)}),
            on_regained=lambda _: events.append({"event": "regained"}),
        )
        session.open()
        name = self._keep("session-", session)
        self._events[name] = events
        return {"session": name, **self.op_session_state({"session": name})}

    def op_session_state(self, request: Fields) -> dict[str, Any]:
        session = self._things[request["session"]]
        return {
            "alive": session.alive,
            "seatsUsed": session.seats_used,
            "seatsTotal": session.seats_total,
            "events": list(self._events[request["session"]]),
        }

    def op_disconnect(self, request: Fields) -> None:
        self._things[request["session"]].close()

    def op_borrow(self, request: Fields) -> dict[str, Any]:
        thing = self._things[request.get("license") or request["session"]]
        return self._keep_borrowed(thing.borrow(request["days"]))

    def op_borrowed_seat(self, request: Fields) -> dict[str, Any]:
        return self._keep_borrowed(self._client(request).borrowed_seat())

    def op_renew(self, request: Fields) -> dict[str, Any]:
        seat = self._borrowed[request["borrowed"]].renew(request["days"])
        return seat_view(request["borrowed"], seat)

    def op_return_seat(self, request: Fields) -> None:
        self._borrowed[request["borrowed"]].return_()

    def _keep_borrowed(self, seat: BorrowedSeat | None) -> dict[str, Any]:
        if seat is None:
            return dict.fromkeys(("borrowed", "leaseId", "seq", "endsAt"))
        name = f"borrowed-{len(self._borrowed) + 1}"
        self._borrowed[name] = seat
        return seat_view(name, seat)

    def op_watch_state(self, request: Fields) -> dict[str, Any]:
        return {"statuses": list(self._statuses[request["watch"]])}

    def op_close_watch(self, request: Fields) -> None:
        self._things[request["watch"]].close()


def given_value(name: str, value: Any) -> Any:
    """A value of a sentence, in the type that an application has."""
    if name in {"cost", "balance"}:
        return Decimal(value)
    return optional_time(value) if name.endswith(("At", "By")) else value


def plain(value: Any) -> Any:
    """A value as JSON, with the names of the API."""
    if is_dataclass(value) and not isinstance(value, type):
        return {camel(name): plain(item) for name, item in fields_of(value).items()}
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Decimal):
        return f"{value:f}"
    return str(value) if isinstance(value, str) else value


def fields_of(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def result_view(result: LicenseResult) -> dict[str, Any]:
    cause = result.cause
    granted = result.license.entitlements if result.valid and result.license else {}
    return {
        **plain(replace(result, cause=None)),
        "valid": result.valid,
        "features": plain(result.features),
        "entitlements": plain(granted),
        "cause": None if cause is None else error_view(cause),
    }


def request_view(made: OfflineRequest, request: Fields) -> dict[str, Any]:
    return {
        "kind": made.kind,
        "text": made.text,
        "file": made.file.decode(),
        "qrText": made.qr_text(request.get("deskUrl") or ""),
    }


def seat_view(name: str, seat: BorrowedSeat) -> dict[str, Any]:
    view = {"leaseId": seat.lease_id, "seq": seat.seq, "endsAt": plain(seat.ends_at)}
    return {"borrowed": name, **view}


def credits_view(name: str, held: ReservedCredits) -> dict[str, Any]:
    return {
        "reserved": name,
        "leaseId": held.lease_id,
        "seq": held.seq,
        "amount": plain(held.amount),
        "spent": plain(held.spent),
        "remaining": plain(held.remaining),
        "unreported": held.unreported,
        "endsAt": plain(held.ends_at),
    }


def device_view(device: Device) -> dict[str, Any]:
    view = plain(device)
    return {"deviceName": view.pop("name"), **view}


def error_view(error: LicetError) -> dict[str, Any]:
    known = {camel(name): getattr(error, name, None) for name in ERROR_FIELDS}
    view = {name: plain(value) for name, value in known.items() if value is not None}
    result = getattr(error, "result", None)
    if result is not None:
        view["status"] = str(result.status)
    return {"code": error.code, "message": error.message, "hint": error.hint, **view}


def main() -> int:
    """Answer requests until the end of standard input."""
    hello = {"protocol": 1, "sdk": "licet", "language": "Python", "version": __version__}
    driver = Driver()
    print(json.dumps({**hello, "capabilities": CAPABILITIES}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request.get("id"), **driver.answer(request)}), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
