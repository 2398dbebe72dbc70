"""Forged, expired, replayed, foreign and mixed-up answers, and providers that misbehave.

`make test ARGS="-k hostile"` runs them; `HOSTILE` counts what was tried.
"""

import time
from collections.abc import Callable
from typing import Any

import pytest
from sso.company import Company, begin, browser, finish, outcome, sign_in
from sso.idp import Idp, ec_key, key

from licet_server.app import Application

Misbehave = Callable[[Idp, int], None]


def claims(**changed: Any) -> Misbehave:
    return lambda idp, now: idp.claims.update(
        {name: value(now) if callable(value) else value for name, value in changed.items()}
    )


def header(**changed: Any) -> Misbehave:
    def do(idp: Idp, now: int) -> None:
        idp.forges = True
        idp.header.update(changed)

    return do


def by_secret(secret: Callable[[], bytes]) -> Misbehave:
    def do(idp: Idp, now: int) -> None:
        idp.forges, idp.secret = True, secret()
        idp.header.update(alg="HS256", typ="JWT")

    return do


def user_with(**changed: Any) -> Misbehave:
    return lambda idp, now: idp.user.update(changed)


def token(**changed: Any) -> Misbehave:
    return lambda idp, now: idp.token.update(changed)


def signer(made: Any, **changed: Any) -> Misbehave:
    def do(idp: Idp, now: int) -> None:
        idp.signer = made() if callable(made) else made
        idp.header.update(changed)

    return do


def published(*keys: Any) -> Misbehave:
    return lambda idp, now: setattr(idp, "published", [item() for item in keys])


def both(*steps: Misbehave) -> Misbehave:
    def do(idp: Idp, now: int) -> None:
        for step in steps:
            step(idp, now)

    return do


def encryption_key() -> Any:
    from joserfc.jwk import RSAKey

    private = key("first").as_dict(private=True)
    return RSAKey.import_key({**private, "use": "enc"})


UNAUTHORIZED, FORBIDDEN, AWAY = (401, "Unauthorized"), (403, "Forbidden"), (503, "Unavailable")

HOSTILE: dict[str, tuple[Misbehave, tuple[int, str], str | None]] = {
    # forged
    "unsigned": (header(alg="none"), UNAUTHORIZED, "alg"),
    "signed with our secret": (
        by_secret(lambda: b"a secret/with:signs"),
        UNAUTHORIZED,
        "alg",
    ),
    "signed with the public key as a secret": (
        by_secret(lambda: key("first").as_pem(private=False)),
        UNAUTHORIZED,
        "alg",
    ),
    "signed by another key of the same id": (
        signer(lambda: key("other"), kid="first"),
        UNAUTHORIZED,
        "signature",
    ),
    "a key of no known id": (signer(lambda: key("other")), UNAUTHORIZED, "kid"),
    "an id that is no text": (header(kid=7), UNAUTHORIZED, None),
    "an RSA key for an EC signature": (header(alg="ES256"), UNAUTHORIZED, None),
    "an algorithm that the provider does not announce": (
        header(alg="RS512"),
        UNAUTHORIZED,
        "alg",
    ),
    "an encryption key": (published(encryption_key), UNAUTHORIZED, "kid"),
    "two keys without an id to choose by": (
        both(published(lambda: key("first"), lambda: key("other")), header(kid=...)),
        UNAUTHORIZED,
        "kid",
    ),
    "a key inside the token": (
        header(jwk=key("other").as_dict(private=False), kid="other"),
        UNAUTHORIZED,
        None,
    ),
    "a critical extension that we do not know": (header(crit=["b64x"]), UNAUTHORIZED, None),
    # expired, from the future
    "expired": (claims(exp=lambda now: now - 61), UNAUTHORIZED, "exp"),
    "without an end": (claims(exp=...), UNAUTHORIZED, "exp"),
    "an end that is no number": (claims(exp="tomorrow"), UNAUTHORIZED, None),
    "not yet valid": (claims(nbf=lambda now: now + 120), UNAUTHORIZED, None),
    "issued in the future": (claims(iat=lambda now: now + 120), UNAUTHORIZED, "iat"),
    "without a beginning": (claims(iat=...), UNAUTHORIZED, "iat"),
    # replayed
    "the nonce of another sign-in": (claims(nonce="another"), UNAUTHORIZED, "nonce"),
    "without a nonce": (claims(nonce=...), UNAUTHORIZED, "nonce"),
    "an empty nonce": (claims(nonce=""), UNAUTHORIZED, "nonce"),
    # foreign
    "another issuer": (claims(iss="https://evil.example"), UNAUTHORIZED, "iss"),
    "an issuer that begins like it": (
        lambda idp, now: idp.claims.update(iss=idp.issuer + "/"),
        UNAUTHORIZED,
        "iss",
    ),
    "without an issuer": (claims(iss=...), UNAUTHORIZED, "iss"),
    "for another client": (claims(aud="another"), UNAUTHORIZED, "aud"),
    "for other clients": (claims(aud=["one", "two"]), UNAUTHORIZED, "aud"),
    "for us and others, and not authorized by us": (
        claims(aud=["licet", "two"]),
        UNAUTHORIZED,
        "azp",
    ),
    "authorized by another": (claims(azp="another"), UNAUTHORIZED, "azp"),
    "without an audience": (claims(aud=...), UNAUTHORIZED, "aud"),
    "without a subject": (claims(sub=...), UNAUTHORIZED, "sub"),
    "an access token of another answer": (claims(at_hash="AAAA"), UNAUTHORIZED, "at_hash"),
    "userinfo about another": (
        both(claims(email=...), lambda idp, now: setattr(idp, "info", {"sub": "someone else"})),
        UNAUTHORIZED,
        "userinfo",
    ),
    # malformed
    "no ID token": (token(id_token=...), UNAUTHORIZED, "id_token"),
    "an ID token that is no text": (token(id_token={"a": 1}), UNAUTHORIZED, "id_token"),
    "an ID token of two parts": (token(id_token="a.b"), UNAUTHORIZED, "id_token"),
    "an ID token of garbage": (token(id_token="ü.ü.ü"), UNAUTHORIZED, "id_token"),
    "an ID token of 1 MB": (token(id_token="a" * 400_000), UNAUTHORIZED, "id_token"),
    # people
    "an unverified address": (user_with(email_verified=False), FORBIDDEN, "email_verified"),
    "an address in another domain": (user_with(email="ada@elsewhere.example"), FORBIDDEN, "domain"),
    "an address in a longer domain": (
        lambda idp, now: idp.user.update(email=idp.user["email"] + ".evil.example"),
        FORBIDDEN,
        "domain",
    ),
    "two addresses in one": (
        lambda idp, now: idp.user.update(email="a@evil.example," + idp.user["email"]),
        FORBIDDEN,
        "email",
    ),
    "an address that is no text": (user_with(email=["a@b.example"]), FORBIDDEN, "email"),
    "a subject that is no text": (user_with(sub=5), UNAUTHORIZED, None),
    "a subject with NUL": (user_with(sub="a\0b"), FORBIDDEN, "subject"),
    "a subject of 10,000 characters": (user_with(sub="a" * 10_000), FORBIDDEN, "subject"),
    # the provider as a server
    "a refused code": (lambda idp, now: setattr(idp, "refused", "invalid_grant"), FORBIDDEN, None),
    "a redirect of the token endpoint": (
        lambda idp, now: idp.answers.update(
            {
                "/token": b"HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:1/\r\n"
                b"Content-Length: 0\r\n\r\n"
            }
        ),
        AWAY,
        "redirect",
    ),
    "100 MB": (lambda idp, now: idp.answers.update({"/token": b"FLOOD"}), AWAY, "size"),
    "a token endpoint that hangs": (
        lambda idp, now: idp.answers.update({"/token": 60.0}),
        AWAY,
        "timeout",
    ),
    "keys that hang": (lambda idp, now: idp.answers.update({"/keys": 60.0}), AWAY, "timeout"),
    "a list in place of an object": (
        lambda idp, now: idp.answers.update(
            {"/token": b"HTTP/1.1 200 X\r\nContent-Length: 2\r\n\r\n[]"}
        ),
        AWAY,
        "json",
    ),
    "a packed answer": (
        lambda idp, now: idp.answers.update(
            {"/token": b"HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"}
        ),
        AWAY,
        "encoding",
    ),
    "no HTTP at all": (
        lambda idp, now: idp.answers.update({"/token": b"hello\r\n\r\n"}),
        AWAY,
        None,
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_assertion_is_refused(
    company: Company, application: Application, name: str
) -> None:
    misbehave, expected, reason = HOSTILE[name]
    email = company.employ("ada")
    if name == "keys that hang":
        await company.owner.ok("POST", f"{company.path}/check")
        company.idp.signer = key("new")
    async with browser(application) as client:
        sent = await begin(client, email)
        company.idp.nonce = sent["nonce"]
        misbehave(company.idp, int(company.idp.clock().timestamp()))
        if name == "keys that hang":
            company.idp.clock.advance(minutes=1)  # type: ignore[attr-defined]
        if name in {"an encryption key", "two keys without an id to choose by"}:
            await company.owner.ok("POST", f"{company.path}/check")
        started = time.perf_counter()
        answer = await finish(client, company.idp, sent)
        assert time.perf_counter() - started < 12
        assert outcome(answer) == expected, answer.text
        if reason is not None:
            assert answer.json()["reason"] == reason
        assert "licet_refresh" not in answer.cookies
    members = await company.owner.ok("GET", f"{company.path.removesuffix('/sso')}/members")
    assert members["totalCount"] == 1, "nothing was changed"


async def test_an_answer_works_once_in_one_browser_and_for_10_minutes(
    company: Company, application: Application, clock: Any
) -> None:
    email = company.employ("ada")
    async with browser(application) as client, browser(application) as thief:
        sent = await begin(client, email)
        await begin(thief, email)
        stolen = await finish(thief, company.idp, sent)
        assert outcome(stolen) == UNAUTHORIZED, "another browser"
        assert (await finish(client, company.idp, sent)).status_code == 302
        assert outcome(await finish(client, company.idp, sent)) == UNAUTHORIZED, "replayed"
        for state in (None, "", "x", "A" * 64, sent["state"].swapcase(), "A" * 3000):
            sent = await begin(client, email)
            answer = await finish(client, company.idp, sent, state=state)
            assert outcome(answer) == UNAUTHORIZED, state
        sent = await begin(client, email)
        client.cookies.delete("licet_sso")
        assert outcome(await finish(client, company.idp, sent)) == UNAUTHORIZED, "no cookie"
        sent = await begin(client, email)
        clock.advance(minutes=10)
        assert outcome(await finish(client, company.idp, sent)) == UNAUTHORIZED, "too late"
        sent = await begin(client, email)
        assert outcome(await finish(client, company.idp, sent, code=None)) == UNAUTHORIZED
        sent = await begin(client, email)
        denied = await finish(client, company.idp, sent, code=None, error="access_denied")
        assert outcome(denied) == FORBIDDEN


async def test_answers_are_not_mixed_up_between_providers(
    company: Company, application: Application
) -> None:
    """The `iss` of RFC 9207, and a connection that changed meanwhile."""
    email = company.employ("ada")
    async with browser(application) as client:
        sent = await begin(client, email)
        mixed = await finish(client, company.idp, sent, iss="https://evil.example")
        assert outcome(mixed) == UNAUTHORIZED
        sent = await begin(client, email)
        assert (await finish(client, company.idp, sent, iss=company.idp.issuer)).status_code == 302
        company.idp.metadata["authorization_response_iss_parameter_supported"] = True
        await company.owner.ok("POST", f"{company.path}/check")
        sent = await begin(client, email)
        assert outcome(await finish(client, company.idp, sent)) == UNAUTHORIZED
        sent = await begin(client, email)
        await company.connect(issuer="https://other.example")
        answer = await finish(client, company.idp, sent)
        assert (outcome(answer), answer.json()["reason"]) == (UNAUTHORIZED, "issuer")


@pytest.mark.parametrize(
    ("path", "behaviour"),
    [
        ("/.well-known/openid-configuration", 60.0),
        ("/.well-known/openid-configuration", b"FLOOD"),
        ("/.well-known/openid-configuration", b"HTTP/1.1 200 X\r\nContent-Length: 4\r\n\r\nnull"),
        (
            "/.well-known/openid-configuration",
            b"HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        ),
        ("/.well-known/openid-configuration", b"HTTP/1.1 500 X\r\nContent-Length: 2\r\n\r\n{}"),
        ("/keys", b"HTTP/1.1 200 X\r\nContent-Length: 2\r\n\r\n{}"),
    ],
)
async def test_hostile_discovery_ends_within_seconds(
    company: Company, application: Application, path: str, behaviour: bytes | float
) -> None:
    email = company.employ("ada")
    company.idp.answers[path] = behaviour
    async with browser(application) as client:
        started = time.perf_counter()
        answer = await client.get("/api/auth/sso/start", params={"email": email})
        assert time.perf_counter() - started < 12
        assert outcome(answer) == AWAY


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example"},
        {"token_endpoint": "http://evil.example/token"},
        {"token_endpoint": "https://169.254.169.254/latest"},
        {"token_endpoint": "https://10.0.0.1/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": 5},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "http://evil.example"},
        {"authorization_endpoint": None},
    ],
)
async def test_hostile_metadata_is_refused(
    company: Company, application: Application, metadata: dict[str, Any]
) -> None:
    email = company.employ("ada")
    company.idp.metadata.update(metadata)
    async with browser(application) as client:
        answer = await client.get("/api/auth/sso/start", params={"email": email})
        assert outcome(answer) == AWAY
        page = await client.get(
            "/api/auth/sso/start", params={"email": email}, headers={"accept": "text/html"}
        )
        assert page.headers["location"].startswith("/login?sso=Unavailable")


async def test_a_new_key_of_the_provider_is_found(
    company: Company, application: Application, clock: Any
) -> None:
    email = company.employ("ada")
    async with browser(application) as client:
        assert (await sign_in(client, company.idp, email)).status_code == 302
        company.idp.signer = ec_key("second")
        company.idp.header = {"alg": "ES256"}
        company.idp.published.append(ec_key("second"))
        assert outcome(await sign_in(client, company.idp, email)) == UNAUTHORIZED, "asked just now"
        clock.advance(seconds=31)
        assert (await sign_in(client, company.idp, email)).status_code == 302
