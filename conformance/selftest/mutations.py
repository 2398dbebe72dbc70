"""For each requirement a driver that breaks exactly this one, as a change of what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from conformance.selftest.replay import Mutation

USABLE = frozenset({"Valid", "GracePeriod"})


def ok(case: str, operation: str, **changes: Any) -> Mutation:
    """The operation succeeds with these values."""
    return Mutation(case, operation, lambda given: {"ok": {**given.get("ok", {}), **changes}})


def error(case: str, operation: str, code: str, **fields: Any) -> Mutation:
    """The operation fails with this code."""
    return Mutation(case, operation, lambda _: {"error": {"code": code, **fields}})


def error_with(case: str, operation: str, **fields: Any) -> Mutation:
    """The error of the operation, if it fails, has these values."""

    def change(given: dict[str, Any]) -> dict[str, Any]:
        return {"error": {**given["error"], **fields}} if "error" in given else given

    return Mutation(case, operation, change)


def status(case: str, wrong: str, operation: str = "verify_offline") -> Mutation:
    """The validation has another status."""
    return ok(case, operation, status=wrong, valid=wrong in USABLE)


def server(case: str, **changes: Any) -> Mutation:
    """The driver has left the license on the server in this state."""
    return Mutation(case, "GET /licenses/*", lambda given: {**given, **changes})


def log(case: str, change: Callable[[list[dict[str, Any]]], Any]) -> Mutation:
    """The driver has sent other requests; ``change`` edits the log in place."""

    def edit(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if entries:
            change(entries)
        return entries

    return Mutation(case, "GET /requests", edit)


def sends(case: str, **fields: Any) -> Mutation:
    """The driver sends other fields."""

    def change(entries: list[dict[str, Any]]) -> None:
        for entry in entries:
            place = "query" if entry["body"] is None else "body"
            entry[place] = {**entry[place], **fields}

    return log(case, change)


def hurries(case: str, after: int = 1) -> Mutation:
    """The driver waits for nothing before this and later requests."""

    def change(entries: list[dict[str, Any]]) -> None:
        for entry in entries[after:]:
            entry["receivedSeconds"] = entries[after - 1]["receivedSeconds"]

    return log(case, change)


def repeats(case: str) -> Mutation:
    """The driver sends its last request once more."""
    return log(case, lambda entries: entries.append(entries[-1]))


def gives_up(case: str) -> Mutation:
    """The driver does not repeat a request."""
    return log(case, lambda entries: entries.__delitem__(slice(1, None)))


def on_disk(case: str, name: str, content: Any) -> Mutation:
    """The driver has left this on disk."""
    return Mutation(case, name, lambda _: content)


def same_proofs(entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        entry["headers"] = entries[0]["headers"]


def another_key(entries: list[dict[str, Any]]) -> None:
    entries[-1]["body"] = {**entries[-1]["body"], "idempotencyKey": "another"}


SENT_ELSEWHERE = {"path": "/elsewhere", "receivedSeconds": 0.0, "headers": {}}
DISCONNECTED = {"path": "/sessions/disconnect", "receivedSeconds": 0.0, "headers": {}}
ENROLLED_TWICE = {"path": "/activations/enroll", "receivedSeconds": 0.0, "headers": {}}
SEATED = [{"hardwareId": "h1", "status": "Active"}]
IN_SESSION = [{"id": "1", "hardwareId": "h1"}]

LOCAL: Mapping[str, Mutation] = {
    "LIC-KEY-001": ok("keys:valid-13", "normal_form", normalForm="jn3vr-drjsk-a8hna-s3sp8-cppnh"),
    "LIC-KEY-002": ok("keys:invalidCheck-1", "normal_form", generated=True),
    "LIC-KEY-003": ok("keys:imported-3", "normal_form", normalForm="  padded key 1  "),
    "LIC-KEY-004": ok("keys:malformed-1", "normal_form", normalForm=""),
    "LIC-KEY-005": ok("derive-key:2", "derive_key", derivedKey="AAAA"),
    "LIC-KEY-006": error("a-hopeless-key", "create_client", "Configuration"),
    "LIC-VER-001": ok("versions:order-10", "compare_versions", order=1),
    "LIC-VER-002": ok("versions:not-comparable-*", "compare_versions", order=0),
    "LIC-VER-003": ok("versions:covered-4", "release_allows", allowed=True),
    "LIC-SEN-001": ok("sentences:german-amounts", "sentence", sentence="(2.50 benötigt, 1 übrig)"),
    "LIC-CMP-001": ok("components:windows-laptop", "components", components={}),
    "LIC-CMP-002": ok("components:ci-sends-none", "components", components={"model": "0" * 16}),
    "LIC-CMP-003": status("components:file-too-few-are-equal", "Valid"),
    "LIC-OFF-001": status("files:perpetual", "Expired"),
    "LIC-OFF-002": status("files:edited-payload", "Valid"),
    "LIC-OFF-003": status("files:stale-key-with-present-kid", "Valid"),
    "LIC-OFF-004": status("files:other-product", "Valid"),
    "LIC-OFF-005": status("files:alg-none", "Valid"),
    "LIC-OFF-006": status("files:typ-verdict", "Valid"),
    "LIC-OFF-007": status("files:base64-unused-bits", "Valid"),
    "LIC-OFF-008": error("files:doubled", "verify_offline", "Configuration"),
    "LIC-OFF-009": error("files:not-a-token", "verify_offline", "Internal"),
    "LIC-OFF-010": status("files:expired", "Valid"),
    "LIC-OFF-011": status("files:to-be-refreshed", "Expired"),
    "LIC-OFF-012": status("files:revoked-in-file", "Valid"),
    "LIC-OFF-013": status("files:status-of-a-newer-server", "Valid"),
    "LIC-OFF-014": status("files:another-license-key", "Valid"),
    "LIC-OFF-015": status("files:concurrent-here", "HardwareMismatch"),
    "LIC-OFF-016": status("files:subscription-bound-elsewhere", "Valid"),
    "LIC-OFF-017": status("files:node-locked-empty-list", "Valid"),
    "LIC-OFF-018": status("files:app-of-a-later-major", "Valid"),
    "LIC-OFF-019": status("files:clock-moved-back", "Valid"),
    "LIC-OFF-020": Mutation(
        "an-offline-verification-*", "GET /requests", lambda _: [SENT_ELSEWHERE]
    ),
    "LIC-OFF-021": error("without-a-file", "verify_offline", "LicenseFile"),
    "LIC-OFF-022": ok("files:entitlements", "verify_offline", license={"entitlements": {}}),
    "LIC-OFF-023": status("files:entitlements-malformed", "Valid"),
    "LIC-OFF-024": status("files:time-bad-1", "Valid"),
    "LIC-OFF-025": status("forged", "Revoked"),
    "LIC-COV-001": status("coverage:in-term-lapsed-late", "Valid"),
    "LIC-COV-002": status("coverage:after-fallback-end-during", "Expired"),
    "LIC-COV-003": status("coverage:after-subscription-bought", "Valid"),
    "LIC-COV-004": status("coverage:1999-fallback-end-during", "ClockTampered"),
    "LIC-TST-001": status("files:test-license", "Valid"),
    "LIC-PRO-001": status("files:protected-imported-key", "SignatureMismatch"),
    "LIC-PRO-002": status("files:protected-edited-tag", "Valid"),
    "LIC-PRO-003": status("files:protected-stale-key", "Valid"),
    "LIC-PRO-004": status("a-protected-file-without-a-key", "SignatureMismatch"),
    "LIC-GRC-001": status("files:online-never-confirmed", "GracePeriod"),
    "LIC-GRC-002": status("files:online-within-grace", "Valid"),
    "LIC-GRC-003": status("files:online-without-grace", "GracePeriod"),
    "LIC-GRC-004": status("files:verdict-of-another-machine", "GracePeriod"),
    "LIC-GRC-005": status("files:file-replaced-by-a-valid-verdict", "Valid"),
    "LIC-GRC-006": ok("the-grace-period-*", "validate", features=[]),
    "LIC-GRC-008": status("a-slow-answer", "GracePeriod"),
    "LIC-GRC-009": status("again", "GracePeriod", "validate"),
    "LIC-GRC-007": status("later", "GracePeriod", "validate"),
    "LIC-CLK-001": status("clock:the-same-moment-in-another-zone", "ClockTampered"),
    "LIC-CLK-002": status("clock:set-back-by-twenty-minutes", "Valid"),
    "LIC-CLK-003": status("clock:set-back-and-corrected", "ClockTampered"),
    "LIC-CLK-004": status("clock:set-back-by-half-an-hour", "ClockTampered"),
    "LIC-CLK-005": status("clock:a-wrong-zone-does-not-*", "Valid"),
    "LIC-CLK-006": status("clock:ahead-by-years-*", "ClockTampered"),
    "LIC-CLK-007": status("truth:server-ahead-by-years-once-offline", "ClockTampered"),
    "LIC-CLK-008": status("truth:refused-while-ahead-by-years-online", "Suspended"),
    "LIC-CLK-009": status("truth:refused-and-set-back-offline", "Valid"),
    "LIC-HWD-001": ok("hardware:linux-uninitialized", "hardware_id", source="n"),
    "LIC-HWD-002": ok("hardware:macos", "hardware_id", hardwareId="h1m-upper-case"),
    "LIC-HWD-003": ok("hardware:windows-with-a-null", "hardware_id", hardwareId="h1m-null"),
    "LIC-HWD-004": ok("hardware:docker-machine-id-of-the-image", "hardware_id", source="m"),
    "LIC-HWD-005": ok("hardware:ci-turned-off", "hardware_id", source="j"),
    "LIC-HWD-006": ok("hardware:docker-with-a-generated-host-name", "hardware_id", source="n"),
    "LIC-HWD-007": ok("this-machine", "create_client", hardwareId="h1m-of-another"),
    "LIC-SET-001": ok("settings:licet-json-before-*", "load_settings", file="appsettings.json"),
    "LIC-SET-002": ok("settings:unknown-and-null-settings", "load_settings", options={"a": 1}),
    "LIC-SET-003": error("settings:trailing-commas", "load_settings", "Configuration"),
    "LIC-SET-004": ok("settings:two-commas", "load_settings", options={}),
    "LIC-SET-005": sends("the-code-wins-over-the-file", appVersion="7.0.0"),
    "LIC-SET-006": ok("a-public-key-from-the-file", "verify_offline", warnings=[]),
    "LIC-SET-007": ok("an-address-without-https", "create_client", client="client-1"),
}
ONLINE: Mapping[str, Mutation] = {
    "LIC-VRD-001": status("verdicts:good", "SignatureMismatch", "verify_verdict"),
    "LIC-VRD-002": status("verdicts:refused-Revoked", "Expired", "verify_verdict"),
    "LIC-VRD-003": status("verdicts:sdk-status-from-server", "GracePeriod", "verify_verdict"),
    "LIC-VRD-004": status("verdicts:valid-but-revoked", "Valid", "verify_verdict"),
    "LIC-VRD-005": status("verdicts:no-nonce", "Valid", "verify_verdict"),
    "LIC-VRD-006": status("verdicts:another-machine", "Valid", "verify_verdict"),
    "LIC-VRD-007": status("verdicts:alg-hs256-*", "Valid", "verify_verdict"),
    "LIC-VRD-008": status("verdicts:lives-for-years", "Valid", "verify_verdict"),
    "LIC-VRD-009": status("verdicts:an-hour-old", "Valid", "verify_verdict"),
    "LIC-VRD-010": status("replayed", "Valid", "validate_online"),
    "LIC-VRD-011": status("an-answer-for-another-license", "Valid", "validate_online"),
    "LIC-VRD-012": status("an-unsigned-answer", "Valid", "validate_online"),
    "LIC-VRD-013": error("an-unknown-key", "validate_online", "LicenseRefused"),
    "LIC-VRD-014": status("a-refused-product-key", "LicenseNotFound", "validate_online"),
    "LIC-TST-002": status("verdicts:test-license", "Valid", "verify_verdict"),
    "LIC-REF-001": ok("a-refresh-stores-the-file", "stored_file", text=None),
    "LIC-REF-002": ok("after", "stored_file", text="a.b.c"),
    "LIC-REF-003": ok("protected", "stored_file", text="a.b.c"),
    "LIC-REF-004": error("a-refused-refresh", "refresh", "RequestRefused"),
    "LIC-REQ-001": sends("requests:validate", nonce=None),
    "LIC-REQ-002": sends("requests:refresh-protected", protected=False),
    "LIC-REQ-003": sends("requests:activate", metadata={}),
    "LIC-REQ-004": sends("requests:connect", instanceId="another"),
    "LIC-REQ-005": sends("requests:consume", quantity="3"),
    "LIC-REQ-006": sends("requests:check-update-with-a-password", password="in the address"),  # noqa: S106 - the mutation
    "LIC-REQ-007": sends("requests:telemetry", user="ada"),
    "LIC-REQ-008": sends("requests:first-start", activate=None),
    "LIC-NET-001": gives_up("retries:validate-503-once"),
    "LIC-NET-002": hurries("retries:validate-retry-after"),
    "LIC-NET-003": repeats("retries:validate-retry-after-beyond-*"),
    "LIC-NET-004": repeats("retries:validate-400"),
    "LIC-NET-005": error_with(
        "retries:validate-web-page", "validate_online", code="LicenseRefused"
    ),
    "LIC-NET-006": log("a-redirect-*", lambda entries: entries.append(SENT_ELSEWHERE)),
    "LIC-NET-007": error_with("a-silent-server", "validate_online", code="ConnectionLost"),
    "LIC-NET-008": status("a-dripping-server", "Valid", "validate_online"),
    "LIC-NET-009": status("an-answer-that-breaks-off", "SignatureMismatch", "validate_online"),
    "LIC-NET-010": error_with("Dns", "validate_online", code="ServerRefused"),
    "LIC-NET-012": error("a-silent-connection", "validate_online", "ServerTimeout"),
    "LIC-NET-013": error_with("key", "validate_online", message="Check ProductApiKey."),
    "LIC-NET-011": error("senseless-variables", "create_client", "Internal"),
}
SEATS: Mapping[str, Mutation] = {
    "LIC-COV-005": error_with(
        "sessions-and-charges-in-the-fallback", "consume", errorCode="LicenseInvalid"
    ),
    "LIC-MET-002": gives_up("retries:consume-response-lost"),
    "LIC-MET-003": repeats("retries:consume-balance"),
    "LIC-MET-004": ok("again", "consume", replayed=False),
    "LIC-MET-005": error_with("a-charge-beyond-the-balance", "consume", balance="0"),
    "LIC-MET-006": ok("wrong-quantity", "consume", quantity=1),
    "LIC-MET-007": Mutation(
        "arguments-out-of-range", "GET /requests", lambda _: [{"path": "/meter/consume"}]
    ),
    "LIC-MET-008": ok("render", "consume", balance="0.7000000000000001"),
    "LIC-MET-009": error_with("unknown", "consume", idempotencyKey=None),
    "LIC-MET-010": error_with("a-license-without-a-meter", "consume", code="RequestRefused"),
    "LIC-MET-011": ok("own-key", "consume", idempotencyKey="order-1"),
    "LIC-ACT-001": ok("again", "activate", seatsUsed=2),
    "LIC-ACT-002": error_with("a-full-license", "activate", seatsTotal=None),
    "LIC-ACT-003": error("again", "deactivate", "RequestRefused"),
    "LIC-ACT-004": ok("pending", "activate", status="Active"),
    "LIC-ACT-005": error_with("blocked", "activate", code="RequestRefused"),
    "LIC-ENR-001": log("enrolling-once", lambda entries: entries.append(ENROLLED_TWICE)),
    "LIC-ENR-002": status("a-token-that-has-ended", "LicenseNotFound", "validate"),
    "LIC-ENR-003": error_with(
        "an-enrollment-key-that-is-not-accepted", "validate", code="ApiKeyRefused"
    ),
    "LIC-ENR-004": status("the-file-of-an-enrolled-machine", "OnlineRequired"),
    "LIC-DEV-001": error_with("full", "open", canRelease=None),
    "LIC-CMP-004": sends("requests-carry-components", components={"model": "0" * 16}),
    "LIC-CMP-005": sends("a-given-hardware-id-has-no-components", components={"model": "0" * 16}),
    "LIC-CMP-006": ok("the-identity-names-components", "identity", components=["model"]),
    "LIC-CMP-007": ok("a-machine-that-was-installed-again", "activate", seatsUsed=2),
    "LIC-DPR-001": ok("proofs:sent-post", "prove_request", jkt="of-another-key"),
    "LIC-DPR-002": status("proofs:file-of-another-key", "Valid"),
    "LIC-DPR-003": ok("the-key-is-made-once", "identity", jkt="of-another-key"),
    "LIC-DPR-004": log("each-request-is-proven", lambda entries: entries[-1]["headers"].clear()),
    "LIC-DPR-005": log("each-attempt-has-a-proof-of-its-own", same_proofs),
    "LIC-DPR-006": repeats("a-proof-that-is-refused-again"),
    "LIC-DPR-007": on_disk("a-key-that-cannot-be-used", "device-key.json", "another"),
    "LIC-DPR-008": status("a-proof-that-is-required", "Valid", "validate_online"),
    "LIC-LSE-001": status("leases:another-machine", "Valid"),
    "LIC-LSE-002": log("borrowing-a-seat", lambda entries: entries.append(DISCONNECTED)),
    "LIC-LSE-003": status("a-restart-without-the-server", "OnlineRequired", "validate"),
    "LIC-LSE-004": on_disk("returning-a-seat", "*.lease", '{"token": "t"}'),
    "LIC-LSE-005": on_disk(
        "returning-a-seat-without-the-server", "*.lease", '{"token": "t", "returning": "r"}'
    ),
    "LIC-LSE-006": sends("renewing-a-seat", seq=0),
    "LIC-LSE-007": log("the-lost-answer-of-a-renewal", another_key),
    "LIC-LSE-008": status("a-copy-on-another-machine", "Valid"),
    "LIC-LSE-009": status("a-refusal-while-a-seat-is-away", "Valid"),
    "LIC-LSE-010": status("a-clock-set-back", "Valid"),
    "LIC-OFR-001": ok("offline:sent-first", "offline_request", qrText="licet:the-license-key"),
    "LIC-OFR-002": ok("offline:sent-again", "offline_request", text="another"),
    "LIC-OFR-003": ok("offline:answer-another-nonce", "apply_offline_answer", valid=True),
    "LIC-OFR-004": ok("offline:code-another-machine", "apply_offline_answer", valid=True),
    "LIC-OFR-005": error(
        "offline:mistyped-one-wrong-symbol", "apply_offline_answer", "OfflineCode", group=1
    ),
    "LIC-OFR-006": ok("offline:group-while-typing", "check_code_group", right=True),
    "LIC-OFR-007": status("offline:stored-base-file-alone", "Valid"),
    "LIC-OFR-008": status("offline:stored-answer-copied-to-another-machine", "Valid"),
    "LIC-OFR-009": status("offline:stored-released", "Valid"),
    "LIC-OFR-010": status("activated-by-files", "Valid"),
    "LIC-OFR-011": error("activated-by-codes", "apply_offline_answer", "OfflineCode"),
    "LIC-OFR-012": on_disk("a-request-and-a-kill", "mode", 0o644),
    "LIC-OFR-013": Mutation(
        "a-folder-put-back-after-a-release",
        "POST /licenses/*/offline",
        lambda given: {"state": "Answered"} if "errorCode" in given else given,
    ),
    "LIC-RSV-001": status("credits:another-machine", "Valid"),
    "LIC-RSV-002": ok("journals:found-edited", "reserved_credits", leaseId="another"),
    "LIC-RSV-003": Mutation(
        "journals:chain-three", "*.journal", lambda text: text.replace('"cost":"5"', '"cost":"6"')
    ),
    "LIC-RSV-004": on_disk("reserving-credits", "*.journal", ""),
    "LIC-RSV-005": ok("spending-without-the-server", "reserved_credits", remaining="10"),
    "LIC-RSV-006": ok("again-reserved", "consume", replayed=False),
    "LIC-RSV-007": error_with("a-charge-beyond-the-rest", "consume", balance="0"),
    "LIC-RSV-008": ok("reported", "report_credits", unreported=2),
    "LIC-RSV-009": on_disk("returning-the-rest", "*.credits", '{"token": "t"}'),
    "LIC-RSV-010": sends("a-long-journal", journal=["a line"] * 501),
    "LIC-RSV-011": ok("renewing-credits", "renew_credits", seq=1),
    "LIC-RSV-012": log("the-lost-answer-of-a-reservation", another_key),
    "LIC-RSV-013": ok("credits-elsewhere", "reserved_credits", leaseId="another"),
    "LIC-RSV-014": error_with("refusals-of-reservations", "reserve", errorCode="LeaseForked"),
    "LIC-RSV-015": ok(
        "the-end-of-reserved-credits", "verify_offline", leaseEndsAt="2026-03-08T12:00:00Z"
    ),
    "LIC-SES-001": hurries("heartbeats:regular", 2),
    "LIC-SES-002": ok("heartbeats:503-once", "session_state", events=[{"event": "regained"}]),
    "LIC-SES-003": hurries("heartbeats:retry-after", 2),
    "LIC-SES-004": ok("heartbeats:session-ended", "session_state", alive=False),
    "LIC-SES-005": ok("heartbeats:device-blocked", "session_state", events=[]),
    "LIC-SES-006": ok("heartbeats:no-answer-*", "session_state", events=[]),
    "LIC-SES-007": ok("closed", "session_state", alive=True),
    "LIC-SES-008": error_with("no-seat-left", "connect", code="RequestRefused"),
    "LIC-SES-009": server("the-end-of-the-process", sessions=IN_SESSION),
    "LIC-SES-010": server("sigterm", sessions=IN_SESSION),
    "LIC-SES-011": error("the-start-after-a-crash", "connect", "SeatsExhausted"),
    "LIC-SES-012": server("two-copies", sessions=IN_SESSION),
    "LIC-SES-013": server("sig[ih]*", sessions=IN_SESSION),
    "LIC-SES-014": ok("a-copy-without-a-seat", "session_state", events=[]),
    "LIC-WAT-001": ok("each-change-is-told-once", "watch_state", statuses=["Valid", "Valid"]),
    "LIC-WAT-002": ok("an-offline-license-is-revoked", "watch_state", statuses=["Valid"]),
    "LIC-WAT-004": ok("a-watch-waits", "watch_state", statuses=["GracePeriod", "Revoked"]),
    "LIC-WAT-003": ok("a-closed-watch", "watch_state", statuses=["Valid", "Suspended"]),
    "LIC-OPN-001": server("opening-without-a-seat", devices=SEATED),
    "LIC-OPN-002": server("opening-activates-the-device", devices=[]),
    "LIC-OPN-003": server("opening-holds-a-session", sessions=IN_SESSION),
    "LIC-OPN-004": ok("opening-reads-the-balance", "license_state", balance="10"),
    "LIC-OPN-005": error_with("opening-what-may-not-be-used", "open", status="Valid"),
    "LIC-OPN-007": ok("followed", "license_state", status="Valid"),
    "LIC-OPN-008": error_with("opening-without-an-answer", "open", code="LicenseRefused"),
    "LIC-OPN-009": repeats("one-request-of-a-first-start"),
    "LIC-OPN-010": ok("older", "stored_file", text=None),
    "LIC-TST-003": error_with("a-test-license", "activate", errorCode="LicenseNotFound"),
    "LIC-TST-004": status("files:test-time-before-the-file", "ClockTampered"),
    "LIC-TST-006": status("after-the-end-validate", "Valid", "validate"),
    "LIC-TST-005": log("removed", list.clear),
    "LIC-OPN-006": server("releasing-a-device", devices=SEATED),
    "LIC-UPD-001": ok("releases:later-prerelease", "verify_update", accepted=False),
    "LIC-UPD-002": ok("releases:not-signed", "verify_update", accepted=True),
    "LIC-UPD-003": ok("releases:another-channel", "verify_update", accepted=True),
    "LIC-UPD-004": ok("releases:downgrade-2", "verify_update", accepted=True),
    "LIC-UPD-005": ok("releases:another-sha256", "verify_update", accepted=True),
    "LIC-UPD-006": ok("releases:answer-none-another-nonce", "verify_update", accepted=True),
    "LIC-UPD-007": ok("releases:dated-unknown", "verify_update", accepted=True),
    "LIC-UPD-009": ok("releases:uncovered-not-signed", "verify_update", accepted=True),
    "LIC-UPD-010": ok("a-newer-release-that-is-not-covered", "check_update", newer=None),
    "LIC-UPD-008": ok("frozen", "check_update", updateAvailable=False),
    "LIC-DWN-001": on_disk("a-download", "names", [".setup.bin.part", "setup.bin"]),
    "LIC-DWN-002": on_disk("a-damaged-download", "setup.bin", "the new version"),
    "LIC-DWN-003": error("resumed", "download", "ConnectionLost"),
    "LIC-FOL-001": on_disk("a-hostile-folder", "victim", "{}"),
    "LIC-FOL-002": on_disk("hostile-instance-ids", "victim", "0123456789abcdef" * 2),
    "LIC-FOL-003": on_disk("a-hostile-download-folder", "mode", "regular, of 65534, 666"),
    "LIC-FOL-004": error("hostile-settings", "create_client", "Internal"),
    "LIC-FOL-005": on_disk("a-hostile-hardware-id", "names", ["license.bin", "victim"]),
    "LIC-FOL-006": status("folders:delivered-for-another-key", "LicenseNotFound"),
    "LIC-FOL-007": status("two-keys-in-one-folder", "OnlineRequired"),
    "LIC-FOL-008": status("another-key-forgets-no-time", "Valid"),
    "LIC-FOL-009": error("crashes-of-two-keys-in-one-folder", "connect", "SeatsExhausted"),
    "LIC-TEL-001": Mutation(
        "telemetry-is-off", "GET /requests", lambda _: [{"path": "/telemetry"}]
    ),
    "LIC-TEL-002": repeats("events-are-sent-together"),
    "LIC-TEL-003": error("close", "close", "ServerUnavailable"),
}


MUTATIONS: Mapping[str, Mutation] = {
    **LOCAL,
    **ONLINE,
    **SEATS,
    "LIC-MET-001": log("retries:consume-conflict-twice", another_key),
}
