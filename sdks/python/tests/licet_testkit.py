"""A vendor that signs files and verdicts, a loopback license server, and a controllable clock."""

from __future__ import annotations

import json
import os
import ssl
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import pytest
from joserfc import jwe, jws
from joserfc.jwk import OctKey, RSAKey

from licet import AsyncLicenseClient, LicenseClient, LicetError
from licet._jose import derive_file_key

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of servers on this machine: httpx reads all authorities for each client."""
VECTORS = Path(__file__).resolve().parents[3] / "vectors"
FILES = json.loads((VECTORS / "files.json").read_text())
KEYS = json.loads((VECTORS / "keys.json").read_text())
PUBLIC_KEY: str = FILES["publicKeyPem"]
PRODUCT = "01920000-0000-7000-8000-000000000001"
LICENSE_KEY: str = KEYS["valid"][0]["input"]
OTHER_KEY: str = KEYS["valid"][1]["input"]
API_KEY = "pk_test_0123456789abcdef"
HARDWARE = "h1m-0123456789abcdef0123456789abcdef01234567"
NOW = datetime(2026, 6, 1, 12, 0, 0, tzinfo=UTC)


def is_long() -> bool:
    """Return whether the run is for a release or a night, with whole volumes."""
    return os.environ.get("LICET_TESTS") == "long"


class FakeClock:
    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> None:
        self.now += timedelta(**span)


def normal(key: str) -> str:
    return key.replace("-", "").upper()


def b64u(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Vendor:
    """Signs with the key of the test vectors, or with the stale key."""

    def __init__(self) -> None:
        self.key = RSAKey.import_key((VECTORS / "TEST-ONLY-product-key.pem").read_bytes())
        self.stale = RSAKey.import_key((VECTORS / "TEST-ONLY-stale-key.pem").read_bytes())

    def sign(self, claims: dict[str, Any], typ: str, key: RSAKey | None = None) -> str:
        signer = key or self.key
        header = {"alg": "RS256", "typ": typ, "kid": signer.thumbprint()}
        return jws.serialize_compact(header, json.dumps(claims), signer, algorithms=["RS256"])

    def terms(self, **changes: Any) -> dict[str, Any]:
        return {
            "key": LICENSE_KEY,
            "type": "Subscription",
            "status": "Active",
            "name": "Team",
            "issuedTo": "ada@example.com",
            "issuer": "Example",
            "expirationDate": rfc3339(NOW + timedelta(days=365)),
            "activationMode": "Online",
            "maxActiveUsersCount": None,
            "features": ["export"],
            "metadata": {},
            **changes,
        }

    def file(
        self,
        *,
        issued: datetime = NOW,
        exp: datetime | None = None,
        key: RSAKey | None = None,
        claims: dict[str, Any] | None = None,
        terms: dict[str, Any] | None = None,
        **more_terms: Any,
    ) -> str:
        at = int(issued.timestamp())
        content: dict[str, Any] = {
            "iss": "https://licenses.example.com",
            "sub": "license-1",
            "aud": PRODUCT,
            "jti": f"file-{at}",
            "iat": at,
            "nbf": at,
            "license": self.terms(**(terms or {}), **more_terms),
            "product": {"id": PRODUCT, "name": "Test product"},
            "release": {"id": "release-1", "version": "2.0.0"},
            **(claims or {}),
        }
        if exp is not None:
            content["exp"] = int(exp.timestamp())
        return self.sign(content, "license+jwt", key)

    def protect(self, token: str, license_key: str = LICENSE_KEY) -> str:
        salt = bytes(range(16))
        registry = jwe.JWERegistry(algorithms=["dir", "A256GCM"], strict_check_header=False)
        header = {"alg": "dir", "enc": "A256GCM", "cty": "license+jwt", "salt": b64u(salt)}
        key = OctKey.import_key(derive_file_key(normal(license_key), salt))
        return jwe.encrypt_compact(header, token, key, registry=registry)

    def verdict(
        self,
        request: dict[str, Any],
        now: datetime,
        *,
        status: str = "Valid",
        key: RSAKey | None = None,
        **changes: Any,
    ) -> str:
        at = int(now.timestamp())
        license_terms = self.terms()
        license_terms.pop("key")
        claims = {
            "aud": PRODUCT,
            "iat": at,
            "exp": at + 300,
            "nonce": request.get("nonce"),
            "valid": status == "Valid",
            "status": status,
            "licenseKeyHash": b64u(sha256(request["licenseKey"].encode()).digest()),
            "hardwareId": request.get("hardwareId"),
            "license": {"id": "license-1", **license_terms} if status == "Valid" else None,
            **changes,
        }
        return self.sign(claims, "verdict+jwt", key)


Answer = tuple[int, dict[str, str], bytes]


def as_json(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    kind = "application/json" if status == 200 else "application/problem+json"
    return status, {"Content-Type": kind, **(headers or {})}, json.dumps(content).encode()


def problem(status: int, code: str, **headers: str) -> Answer:
    content = {"status": status, "errorCode": code, "detail": "Said the server.", "success": False}
    return as_json(content, status, headers)


class LicenseServer:
    """Implements validate and refresh. ``status`` and the two handlers can be replaced."""

    def __init__(
        self, vendor: Vendor, clock: FakeClock, *, context: Any = None, keep_alive: bool = False
    ) -> None:
        self.vendor, self.clock = vendor, clock
        self.protocol = "HTTP/1.1" if keep_alive else "HTTP/1.0"
        self.peers: list[tuple[str, int]] = []
        self.status = "Valid"
        self.requests: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        self.on_validate: Callable[[dict[str, Any]], Answer] = self.validate
        self.on_refresh: Callable[[dict[str, Any]], Answer] = self.refresh
        self.script: list[Answer] = []
        self.file_terms: dict[str, Any] = {}
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        if context is not None:
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self.scheme = "https" if context is not None else "http"

    @property
    def base(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self._http.server_address[1]}/api"

    def paths(self) -> list[str]:
        return [path.rsplit("/", 1)[1] for path, _, _ in self.requests]

    def validate(self, body: dict[str, Any]) -> Answer:
        content = {"valid": True, "status": "Valid", "license": {"features": ["everything"]}}
        if body.get("signed"):
            content["token"] = self.vendor.verdict(body, self.clock.now, status=self.status)
        return as_json(content, headers={"X-Request-Id": "req-1"})

    def refresh(self, body: dict[str, Any]) -> Answer:
        if self.status != "Valid":
            return problem(400, "LicenseInvalid")
        text = self.vendor.file(issued=self.clock.now, **self.file_terms)
        if body.get("protected"):
            text = self.vendor.protect(text)
        return as_json({"file": text, "expiresAt": None})

    def answer(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Answer:
        self.requests.append((path, body, headers))
        if self.script:
            return self.script.pop(0)
        if headers.get("x-api-key") != API_KEY:
            return problem(401, "Unauthorized")
        return (self.on_refresh if path.endswith("refresh") else self.on_validate)(body)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = server.protocol

            def do_POST(self) -> None:
                server.peers.append(self.client_address)
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, sent, content = server.answer(self.path, body, headers)
                self.send_response_only(status)
                for name, value in sent.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def __exit__(self, *_: object) -> None:
        self.stop()


def make_client(folder: Path, clock: FakeClock, **options: Any) -> LicenseClient:
    return LicenseClient(**client_options(folder, clock, **options))


def client_options(folder: Path, clock: FakeClock, **options: Any) -> dict[str, Any]:
    return {
        "product_id": PRODUCT,
        "public_key": PUBLIC_KEY,
        "license_file": folder / "license.bin",
        "hardware_id": HARDWARE,
        "clock": clock,
        **options,
    }


def online(server: LicenseServer, **options: Any) -> dict[str, Any]:
    return {
        "server_base_endpoint": server.base,
        "api_key": API_KEY,
        "license_key": LICENSE_KEY,
        "timeout": 5.0,
        **options,
    }


async def fault_of(tmp_path: Path, clock: FakeClock, **options: Any) -> LicetError:
    """The error of a validation, checked to be the same for both clients."""
    settings = {"api_key": "pk_x", "license_key": "imported-key-1", "timeout": 1.0, **options}
    with make_client(tmp_path, clock, **settings) as client, pytest.raises(LicetError) as first:
        client.validate_online()
    async with AsyncLicenseClient(**client_options(tmp_path, clock, **settings)) as other:
        with pytest.raises(LicetError) as second:
            await other.validate_online()
    assert type(first.value) is type(second.value)
    return first.value
