"""A real server as the target: its operator's API, behind a proxy that logs and breaks requests."""

from __future__ import annotations

import json
import threading
from base64 import b64decode
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import httpx

from conformance.targets import UnsupportedError
from licet import TransportReply, TransportRequest
from licet.testing._remote_faults import FaultPlan, fault_from
from licet.testing._remote_server import FakeHttpServer
from licet.testing._router import PREFIX

FUTURE = "2099-01-01T00:00:00Z"
FAR = frozenset({"connection", "content-length", "accept-encoding", "transfer-encoding"})
"""Headers between two neighbors, which a proxy does not pass on."""
LICENSE_ACTIONS = frozenset({"revoke", "suspend", "reinstate"})

Body = Mapping[str, Any]


class RealTarget:
    """A running server, with an Owner or Admin of an institution.

    Args:
        endpoint: The address, ending in ``/api``.
        email: The operator's.
        password: The operator's.
    """

    def __init__(self, endpoint: str, email: str, password: str) -> None:
        self._backend = _Backend(endpoint, email, password)
        self._proxy = FakeHttpServer("127.0.0.1", 0, control=self._backend)
        self.endpoint = self._proxy.base_url + PREFIX
        self._thread = threading.Thread(target=self._proxy.serve_forever, daemon=True)
        self._thread.start()

    def control(self, method: str, path: str, body: Body) -> Any:
        return self._backend.call(method, path, body)

    def close(self) -> None:
        self._proxy.shutdown()
        self._proxy.server_close()
        self._backend.close()


class _Backend:
    """The control requests of ``licet-fake``, performed by an operator."""

    def __init__(self, endpoint: str, email: str, password: str) -> None:
        self._endpoint = endpoint.rstrip("/")
        self._far = httpx.Client(timeout=30, trust_env=False)
        self._operator = httpx.Client(timeout=60, trust_env=False)
        session = self._api("POST", "/auth/login", {"email": email, "password": password})
        self._operator.headers["Authorization"] = f"Bearer {session['accessToken']}"
        self._product: dict[str, Any] = {}
        self._numbers = count(1)
        self.faults = FaultPlan()
        self._log: list[dict[str, Any]] = []

    def close(self) -> None:
        self._far.close()
        self._operator.close()

    # The proxy.

    def respond(self, request: TransportRequest) -> TransportReply:
        path = request.url.partition(PREFIX)[2]
        headers = {
            name: value for name, value in request.headers.items() if name.lower() not in FAR
        }
        reply = self._far.request(
            request.method,
            self._endpoint + path,
            headers=headers,
            content=request.body,
        )
        kept = {name: value for name, value in reply.headers.items() if name.lower() not in FAR}
        kept.pop("content-encoding", None)
        return TransportReply(reply.status_code, kept, reply.content)

    def record(self, entry: dict[str, Any]) -> None:
        self._log.append(entry)

    # The control.

    def call(self, method: str, path: str, body: Body) -> Any:
        """Perform a control request.

        Raises:
            UnsupportedError: A real server has no such control.
        """
        route, *names = path.strip("/").split("/")
        if route == "licenses" and names:
            return self._license(names, body)
        routes: Mapping[str, Callable[[Body], Any]] = {
            "GET ": lambda _: self._product,
            "POST reset": self._reset,
            "POST licenses": self._issue,
            "POST prices": self._set_price,
            "POST releases": self._publish,
            "POST faults": lambda given: self.faults.add(fault_from(given)),
            "DELETE faults": lambda _: self.faults.clear(),
            "GET requests": lambda _: list(self._log),
            "DELETE requests": lambda _: self._log.clear(),
        }
        perform = routes.get(f"{method} {route}")
        if perform is None:
            raise UnsupportedError(f"a real server has no {method} {path}")
        return perform(body)

    def _reset(self, given: Body) -> dict[str, Any]:
        self.faults.clear()
        self._log.clear()
        names = {"heartbeatSpacingSeconds": "heartbeatMinSpacingSeconds"}
        settings = {
            names.get(name, name): value
            for name, value in given.items()
            if name not in {"mode", "productName", "releaseVersion"}
        }
        if any(isinstance(value, float) and value % 1 for value in settings.values()):
            raise UnsupportedError("a real server takes whole seconds only")
        version = given.get("releaseVersion", "1.0.0")
        name = f"Conformance {id(self):x}-{next(self._numbers)}"
        mode = given.get("mode", "Live")
        body = {"name": name, "initialVersion": version, "settings": settings, "mode": mode}
        product = self._api("POST", "/products", body)["id"]
        self._api("POST", f"/products/{product}/keys/generate", {"keySize": 2048})
        self._product = {
            "productId": product,
            "productApiKey": self._api("GET", f"/products/{product}/credentials")["apiKey"],
            "publicKey": self._api("GET", f"/products/{product}/keys/public")["publicKeyPem"],
        }
        return self._product

    def _issue(self, given: Body) -> Any:
        terms = dict(given)
        features = terms.pop("features", None)
        if features is not None:
            terms["entitlementSetId"] = self._entitlements(features)
        if terms["type"] in {"Trial", "Subscription"}:
            terms.setdefault("expirationDate", FUTURE)
        if "initialMeterBalance" in terms:
            terms["initialMeterBalance"] = json.loads(str(terms["initialMeterBalance"]))
        shared = {"productId": self._product["productId"], "licenseName": "Conformance"}
        body = {**shared, "issuedTo": "customer@example.com", **terms}
        return self._api("POST", "/licenses", body)

    def _license(self, names: list[str], body: Body) -> Any:
        path = f"/licenses/{names[0]}"
        if len(names) == 1:
            return self._state(path)
        if names[1] == "file":
            query = {name: str(value).lower() for name, value in body.items()}
            return {"file": self._send("GET", f"{path}/file", params=query).text}
        if names[1] == "baseFile":
            return {"file": self._send("GET", f"{path}/file", params={"byCode": "true"}).text}
        if names[1] == "offline":
            return self._offline(path, body)
        if names[1] == "enrollmentKeys":
            return self._api("POST", f"{path}/enrollment-keys", {"name": "Conformance", **body})
        if names[1] == "devices":
            devices = self._items(f"{path}/activations")
            device = next(item["id"] for item in devices if item["hardwareId"] == names[2])
            return self._api("POST", f"/activations/{device}/{names[3]}", body)
        if names[1] == "recall":
            for lease in self._items(f"{path}/leases"):
                self._api("POST", f"/leases/{lease['id']}/recall", body)
            return {}
        if names[1] not in LICENSE_ACTIONS:
            raise UnsupportedError(f"a real server has no {names[1]}")
        return self._api("POST", f"{path}/{names[1]}", body)

    def _offline(self, path: str, body: Body) -> dict[str, Any]:
        reply = self._operator.post(f"{self._endpoint}{path}/offline", json=body)
        answer: dict[str, Any] = reply.json()
        if reply.is_success and answer["file"] is not None:
            answer["file"] = b64decode(answer["file"]).decode()
        return answer

    def _state(self, path: str) -> dict[str, Any]:
        license_ = self._api("GET", path)
        balance = license_.get("meterBalance")
        return {
            **license_,
            "balance": None if balance is None else str(balance),
            "devices": self._items(f"{path}/activations"),
            "sessions": self._items(f"{path}/sessions"),
            "leases": self._items(f"{path}/leases"),
        }

    def _entitlements(self, features: list[str]) -> Any:
        for name in features:
            self._feature(name)
        body = {"name": f"Set {next(self._numbers)}", "featureNames": features}
        return self._api("POST", self._of_product("entitlement-sets"), body)["id"]

    def _feature(self, name: str) -> Any:
        return self._api("POST", self._of_product("features"), {"name": name})["id"]

    def _set_price(self, given: Body) -> None:
        feature = self._feature(given["featureName"])
        cost = {"tokenCost": json.loads(str(given["tokenCost"]))}
        self._api("PUT", f"/meter/features/{feature}/pricing", cost)

    def _publish(self, given: Body) -> None:
        body = {"version": given["version"], "channel": "Stable", "status": "Published"}
        release = self._api("POST", self._of_product("releases"), body)
        for name, text in given.get("files", {}).items():
            path = f"/releases/{release['id']}/files"
            self._send("POST", path, files={"file": (name, b64decode(text))})

    def _of_product(self, kind: str) -> str:
        return f"/products/{self._product['productId']}/{kind}"

    def _items(self, path: str) -> Any:
        return self._api("GET", f"{path}?pageSize=100")["items"]

    def _api(self, method: str, path: str, body: Body | None = None) -> Any:
        reply = self._send(method, path, json=body)
        return reply.json() if reply.content else {}

    def _send(self, method: str, path: str, **content: Any) -> httpx.Response:
        reply = self._operator.request(method, self._endpoint + path, **content)
        assert reply.is_success, f"{method} {path}: {reply.status_code} {reply.text[:300]}"
        return reply
