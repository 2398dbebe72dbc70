"""Traces reach a collector as OTLP, from the request to its statements, without a secret."""

import asyncio
import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from e2e.process import ADMIN, NO_TLS, NewService, Service
from e2e.vendor import make_vendor
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from patience import eventually

from licet_server.kit.settings import InvalidSetting, Settings, read_settings
from licet_server.kit.tracing import UNTRACED, open_tracing

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Collector:
    """Takes spans by OTLP over HTTP."""

    def __init__(self) -> None:
        collector = self
        self.spans: list[Any] = []
        self.raw = b""
        self.resources: list[dict[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                collector.take(body)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def take(self, body: bytes) -> None:
        self.raw += body
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.resources.append(attributes(resource.resource))
            for scope in resource.scope_spans:
                self.spans.extend(scope.spans)

    def named(self, name: str) -> list[Any]:
        return [span for span in list(self.spans) if span.name == name]

    def children_of(self, span: Any) -> list[Any]:
        return [each for each in list(self.spans) if each.parent_span_id == span.span_id]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def attributes(of: Any) -> dict[str, Any]:
    return {each.key: each.value.string_value or each.value.int_value for each in of.attributes}


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    yield collector
    collector.close()


@pytest.fixture
def traced(new_service: NewService, collector: Collector) -> Service:
    service = new_service(
        **ADMIN,
        LICET_OTLP_ENDPOINT=collector.endpoint,
        LICET_TRUSTED_PROXIES="127.0.0.1",
        LICET_VERBOSE="true",
        OTEL_BSP_SCHEDULE_DELAY="200",
    )
    service.start("--workers", 1)
    return service


def test_a_trace_leads_from_the_request_over_batches_to_statements(
    traced: Service, collector: Collector
) -> None:
    with traced.sign_in() as owner:
        vendor = make_vendor(owner)
        license_key = vendor.issue()["licenseKey"]
    with traced.client() as application:
        answer = application.post(
            "/api/licenses/validate",
            json={"licenseKey": license_key},
            headers={
                "x-api-key": vendor.api_key,
                "traceparent": PARENT,
                "x-request-id": "trace-me",
            },
        ).raise_for_status()
    assert answer.headers["x-request-id"] == "trace-me"
    name = "POST /api/licenses/validate"
    [request] = eventually(lambda: collector.named(name), "the spans arrive", 30)
    assert request.trace_id.hex() == PARENT.split("-")[1]
    assert request.parent_span_id.hex() == PARENT.split("-")[2]
    told = attributes(request)
    assert told["http.response.status_code"] == 200
    assert told["licet.request_id"] == "trace-me"
    batches = collector.children_of(request)
    assert {span.name for span in batches} >= {"batch product_keys", "batch validations"}
    for batch in batches:
        assert [link.span_id for link in batch.links] == [request.span_id]
        assert attributes(batch)["licet.batch.size"] == 1
        statements = collector.children_of(batch)
        assert statements, batch.name
        assert {attributes(each)["db.system.name"] for each in statements} == {"postgresql"}
    for secret in (
        license_key,
        vendor.api_key,
        ADMIN["LICET_ADMIN_PASSWORD"],
        ADMIN["LICET_ADMIN_EMAIL"],
    ):
        assert secret.encode() not in collector.raw
    assert all(each["service.name"] == "licet" for each in collector.resources)
    lines = [json.loads(line) for line in traced.output().splitlines() if line.startswith("{")]
    [line] = [each for each in lines if each.get("request_id") == "trace-me"]
    assert line["trace_id"] == request.trace_id.hex()


def test_a_batch_is_linked_to_each_of_its_requests(traced: Service, collector: Collector) -> None:
    async def ask_together() -> None:
        import httpx

        async with httpx.AsyncClient(
            base_url=traced.address, trust_env=False, verify=NO_TLS
        ) as client:
            headers = {"x-api-key": api_key}
            body = {"licenseKey": "AAAAA-BBBBB"}
            calls = [
                client.post("/api/licenses/validate", json=body, headers=headers) for _ in range(40)
            ]
            await asyncio.gather(*calls)

    with traced.sign_in() as owner:
        api_key = make_vendor(owner).api_key
    asyncio.run(ask_together())
    name = "POST /api/licenses/validate"
    eventually(lambda: len(collector.named(name)) == 40, "the spans arrive", 30)
    requests = {span.span_id for span in collector.named(name)}
    batches = collector.named("batch product_keys")
    linked = [link.span_id for batch in batches for link in batch.links]
    assert sorted(linked) == sorted(requests), "each request is in one batch"
    assert sum(attributes(batch)["licet.batch.size"] for batch in batches) == 40
    assert all(batch.parent_span_id == batch.links[0].span_id for batch in batches)


def test_a_stranger_begins_no_trace_and_a_failure_tells_only_its_kind(
    new_service: NewService, collector: Collector
) -> None:
    service = new_service(
        **ADMIN, LICET_OTLP_ENDPOINT=collector.endpoint, OTEL_BSP_SCHEDULE_DELAY="200"
    )
    service.start("--workers", 1)
    with service.client() as client:
        headers = {"traceparent": PARENT, "x-api-key": "a-product-key-of-nobody"}
        body = {"licenseKey": "x"}
        assert client.post("/api/licenses/validate", json=body, headers=headers).is_client_error
    name = "POST /api/licenses/validate"
    [request] = eventually(lambda: collector.named(name), "the span arrives", 30)
    assert request.trace_id.hex() != PARENT.split("-")[1]
    assert not request.parent_span_id
    assert attributes(request)["error.type"] == "Unauthorized"
    assert b"a-product-key-of-nobody" not in collector.raw


def test_a_collector_that_is_away_disturbs_nobody(new_service: NewService) -> None:
    service = new_service(
        **ADMIN, LICET_OTLP_ENDPOINT="http://127.0.0.1:9", OTEL_BSP_SCHEDULE_DELAY="100"
    )
    service.start("--workers", 2)
    with service.sign_in() as owner:
        for _ in range(20):
            owner.get("/api/products").raise_for_status()
    assert service.stop() == 0


def test_nothing_is_imported_while_traces_are_off() -> None:
    assert open_tracing(Settings(), "1") is UNTRACED
    application: Any = object()
    assert UNTRACED.requests(application, Settings()) is application
    code = "import sys, licet_server.serving; print(any('opentelemetry' in m for m in sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "False"


def test_without_the_extra_the_start_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "licet_server.kit.tracing.spans", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    settings = read_settings({"LICET_OTLP_ENDPOINT": "http://127.0.0.1:4318/"})
    assert settings.otlp_endpoint == "http://127.0.0.1:4318"
    with pytest.raises(InvalidSetting, match="the extra otel of licet-server"):
        open_tracing(settings, "1")
    with pytest.raises(InvalidSetting, match="LICET_OTLP_ENDPOINT"):
        read_settings({"LICET_OTLP_ENDPOINT": "collector:4318"})
