"""Requests over TLS, through the proxies with the files of deploy/, to a real service."""

import ssl
from pathlib import Path

import httpx
import pytest
from deploy.proxies import PROXIES
from e2e.process import EMAIL, PASSWORD, Service
from outside_programs import required
from patience import PATIENCE_S, eventually


def client_of(port: int, authority: Path) -> httpx.Client:
    context = ssl.create_default_context(cafile=authority)
    return httpx.Client(
        base_url=f"https://localhost:{port}", verify=context, trust_env=False, timeout=PATIENCE_S
    )


def check_that_it_serves(port: int, authority: Path) -> None:
    """Sign in over https: the cookie is for https alone, and the caller's address is told."""
    eventually(authority.exists, "there is a certificate")

    def answers() -> bool:
        try:
            with client_of(port, authority) as client:
                return client.get("/health/ready").is_success
        except (httpx.TransportError, ssl.SSLError):
            return False

    eventually(answers, "the proxy passes requests on", 60)
    with client_of(port, authority) as client:
        page = client.get("/").raise_for_status()
        assert "max-age" in page.headers["strict-transport-security"]
        body = {"email": EMAIL, "password": PASSWORD}
        answer = client.post("/api/auth/login", json=body).raise_for_status()
        assert "secure" in answer.headers["set-cookie"].lower()
        client.headers["authorization"] = f"Bearer {answer.json()['accessToken']}"
        for _ in range(20):  # whichever node is chosen, a live one serves
            client.get("/api/products").raise_for_status()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=required(name, "openssl")) for name in PROXIES]
)
def test_a_proxy_serves_over_tls(name: str, service: Service) -> None:
    with PROXIES[name](service.port, "https") as (port, authority):
        check_that_it_serves(port, authority)
