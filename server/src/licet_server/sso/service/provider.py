"""The OpenID Connect client: discovery, authorization URLs, tokens, and user info."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import msgspec
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from httpcore import URL, AsyncConnectionPool, NetworkError, ProtocolError, TimeoutException
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key
from joserfc.jws import extract_compact

from licet_server.kit.clock import Clock
from licet_server.kit.errors import Refused
from licet_server.kit.outbound.network import NameUnknown, Network, NotPublic, open_connections
from licet_server.sso import errors
from licet_server.sso.rules import AllowedProviders, Attempt, ProviderFault, SsoConfiguration

EXCHANGE_SECONDS = 5.0
ANSWER_BYTES = 512 * 1024

_TIMEOUTS = dict.fromkeys(("connect", "read", "write", "pool"), EXCHANGE_SECONDS)
_REASONS: tuple[tuple[type[BaseException], str], ...] = (
    (NameUnknown, "name"),
    (NotPublic, "address"),
    (TimeoutError, "timeout"),
    (TimeoutException, "timeout"),
    (ProtocolError, "http"),
    (NetworkError, "connection"),
    (OSError, "connection"),
)


class ProviderUnavailable(ProviderFault):
    """A provider that did not answer in time, or not usably."""

    def refused(self) -> Refused:
        return errors.provider_unavailable(self.reason)


async def exchange(
    network: Network,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    content: str | None = None,
) -> tuple[int, dict[str, Any]]:
    """Send a request; returns the status and the JSON object of the answer.

    Raises:
        ProviderUnavailable: for no answer within `EXCHANGE_SECONDS`, a redirect, more than
            `ANSWER_BYTES`, or anything but a JSON object.
    """
    try:
        async with asyncio.timeout(EXCHANGE_SECONDS), open_connections(network) as connections:
            status, body = await _send(connections.any(), method, url, dict(headers or {}), content)
    except tuple(kind for kind, _ in _REASONS) as error:
        reason = next(text for kind, text in _REASONS if isinstance(error, kind))
        raise ProviderUnavailable(reason) from None
    if 300 <= status < 400:
        raise ProviderUnavailable("redirect")
    if status >= 500:
        raise ProviderUnavailable("status")
    try:
        answer = msgspec.json.decode(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise ProviderUnavailable("json") from None
    if not isinstance(answer, dict):
        raise ProviderUnavailable("json")
    return status, answer


async def _send(
    pool: AsyncConnectionPool,
    method: str,
    url: str,
    headers: dict[str, str],
    content: str | None,
) -> tuple[int, bytes]:
    sent = {
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "User-Agent": "Licet",
        **headers,
    }
    body = None if content is None else content.encode()
    received = bytearray()
    async with pool.stream(
        method,
        URL(url),
        headers=list(sent.items()),
        content=body,
        extensions={"timeout": _TIMEOUTS},
    ) as response:
        if _is_compressed(response.headers):
            raise ProviderUnavailable("encoding")
        async for chunk in response.aiter_stream():
            received += chunk
            if len(received) > ANSWER_BYTES:
                raise ProviderUnavailable("size")
        return response.status, bytes(received)


def _is_compressed(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(
        name.lower() == b"content-encoding" and value.strip().lower() != b"identity"
        for name, value in headers
    )


ALGORITHMS = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
)
"""Signatures by a private key of the provider. `none` and shared secrets prove nothing here."""

_KEY_TYPES = {"R": "RSA", "P": "RSA", "ES": "EC", "Ed": "OKP"}
_LEEWAY_SECONDS = 60
_TOKEN_MAX = 64 * 1024
_RSA_BITS_MIN = 2048
_MALFORMED = (JoseError, ValueError, TypeError, KeyError, AttributeError)


class NotAccepted(ProviderFault):
    """An answer that is forged, expired, replayed, or of another provider."""

    def refused(self) -> Refused:
        return errors.answer_not_accepted(self.reason)


class UnknownKey(NotAccepted):
    """No known key of the provider has the id that the token names."""


def read_id_token(
    *,
    token: object,
    keys: Sequence[Mapping[str, Any]],
    algorithms: Sequence[str],
    issuer: str,
    client_id: str,
    nonce: str | None,
    access_token: object,
    now: datetime,
) -> Mapping[str, Any]:
    """Return the claims of an ID token; `nonce` is `None` for one that renews a session.

    Raises:
        NotAccepted: if any claim or the signature is invalid.
    """
    if not isinstance(token, str) or not token.isascii() or len(token) > _TOKEN_MAX:
        raise NotAccepted("id_token")
    try:
        header = extract_compact(token.encode()).headers()
    except _MALFORMED:
        raise NotAccepted("id_token") from None
    algorithm = header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in algorithms:
        raise NotAccepted("alg")
    key = _key_for(algorithm, header.get("kid"), keys)
    try:
        decoded = jwt.decode(token, key, algorithms=[algorithm])
    except _MALFORMED:
        raise NotAccepted("signature") from None
    _check(decoded, issuer, client_id, nonce, access_token, now)
    return decoded.claims


def _check(
    decoded: jwt.Token,
    issuer: str,
    client_id: str,
    nonce: str | None,
    access_token: object,
    now: datetime,
) -> None:
    claims = CodeIDToken(
        decoded.claims,
        decoded.header,
        options={
            "iss": {"essential": True, "value": issuer},
            "aud": {"essential": True, "value": client_id},
            "sub": {"essential": True},
            "exp": {"essential": True},
            "iat": {"essential": True},
        },
        params={
            "nonce": nonce,
            "client_id": client_id,
            "access_token": access_token if isinstance(access_token, str) else None,
        },
    )
    try:
        claims.validate(now=int(now.timestamp()), leeway=_LEEWAY_SECONDS)
    except _MALFORMED as error:
        raise NotAccepted(str(getattr(error, "claim", None) or _name_of(error))) from None


def _name_of(error: BaseException) -> str:
    text = str(getattr(error, "error", "")) or "claims"
    return {"expired_token": "exp", "invalid_token": "iat"}.get(text, "claims")


def _key_for(algorithm: str, key_id: object, keys: Sequence[Mapping[str, Any]]) -> Key:
    """Return the key with that ID, which must be for this kind of signature."""
    matching = [item for item in keys if _matches(item, algorithm)]
    if key_id is not None:
        matching = [item for item in matching if item.get("kid") == key_id]
    if not matching:
        raise UnknownKey("kid")
    if len(matching) > 1:
        raise NotAccepted("kid")
    try:
        key = JWKRegistry.import_key(dict(matching[0]))
    except _MALFORMED:
        raise NotAccepted("key") from None
    raw: Any = key.raw_value
    if key.key_type == "RSA" and raw.key_size < _RSA_BITS_MIN:
        raise NotAccepted("key")
    return key


def _matches(key: Mapping[str, Any], algorithm: str) -> bool:
    kind = next(kind for start, kind in _KEY_TYPES.items() if algorithm.startswith(start))
    return (
        key.get("kty") == kind
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) == algorithm
        and "d" not in key
    )


SCOPES = ("openid", "email", "profile")
OFFLINE = "offline_access"

_KEPT_FOR = timedelta(minutes=10)
_KEYS_REFRESH_AFTER = timedelta(seconds=30)
_REMEMBERED_MAX = 200
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class Denied(ProviderFault):
    """A refusal by the provider; `reason` is its code, such as `invalid_grant`."""


@dataclass(frozen=True, slots=True)
class Client:
    """The service as a client of a provider."""

    configuration: SsoConfiguration
    secret: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a token endpoint, with the verified claims about the user."""

    claims: Mapping[str, Any]
    refresh_token: str | None = field(repr=False)


@dataclass(slots=True)
class _Remembered:
    """The metadata and keys of an issuer, as read last."""

    metadata: Mapping[str, Any]
    keys: Sequence[Mapping[str, Any]]
    read_at: datetime
    keys_read_at: datetime


@dataclass(slots=True)
class Providers:
    """Calls identity providers. Every call ends within seconds, whatever they do."""

    network: Network
    allowed: AllowedProviders
    clock: Clock
    _remembered: dict[str, _Remembered] = field(default_factory=dict)

    async def check(self, issuer: str) -> None:
        """Read the provider's configuration and keys again.

        Raises:
            ProviderUnavailable: if they cannot be used.
        """
        self._remembered.pop(issuer, None)
        await self._of(issuer)

    async def authorization_url(
        self,
        configuration: SsoConfiguration,
        attempt: Attempt,
        *,
        state: str,
        redirect_uri: str,
        email: str,
        again: bool,
    ) -> str:
        """Return where the browser goes; `again` makes users authenticate even if they just did.

        Raises:
            ProviderUnavailable: if the provider cannot be used.
        """
        metadata = (await self._of(configuration.issuer)).metadata
        supported = metadata.get("scopes_supported")
        has_offline = isinstance(supported, list) and OFFLINE in supported
        more = {"prompt": "login", "max_age": "0"} if again else {}
        url: str = prepare_grant_uri(
            metadata["authorization_endpoint"],
            client_id=configuration.client_id,
            response_type="code",
            redirect_uri=redirect_uri,
            scope=" ".join([*SCOPES, OFFLINE] if has_offline else SCOPES),
            state=state,
            nonce=attempt.nonce,
            code_challenge=create_s256_code_challenge(attempt.code_verifier),
            code_challenge_method="S256",
            login_hint=email,
            **more,
        )
        return url

    async def check_issuer(self, issuer: str, sent: str | None) -> None:
        """Check the `iss` of an answer (RFC 9207).

        Raises:
            NotAccepted: for another one, or without one where the provider says it sends one.
            ProviderUnavailable: if the provider cannot be used.
        """
        metadata = (await self._of(issuer)).metadata
        is_sent = metadata.get("authorization_response_iss_parameter_supported") is True
        if sent != issuer and (sent is not None or is_sent):
            raise NotAccepted("iss")

    async def redeem(
        self, client: Client, attempt: Attempt, *, code: str, redirect_uri: str
    ) -> Tokens:
        """Exchange a code; returns the tokens for the user who signed in.

        Raises:
            NotAccepted: for an ID token that does not belong to the attempt.
            Denied: if the provider refuses the code.
            ProviderUnavailable: if it cannot be used.
        """
        form = prepare_token_request(
            "authorization_code",
            redirect_uri=redirect_uri,
            code=code,
            code_verifier=attempt.code_verifier,
        )
        answer = await self._post_token(client, form)
        claims = await self._claims(client, answer, nonce=attempt.nonce)
        return await self._tokens(client, answer, claims)

    async def renew(self, client: Client, refresh_token: str, *, subject: str) -> Tokens:
        """Ask whether the provider still admits a user.

        Raises:
            NotAccepted: if it answers for another user.
            Denied: if it does not.
            ProviderUnavailable: if it cannot be used.
        """
        form = prepare_token_request("refresh_token", refresh_token=refresh_token)
        answer = await self._post_token(client, form)
        claims: Mapping[str, Any] = {"sub": subject}
        if answer.get("id_token") is not None:
            claims = await self._claims(client, answer, nonce=None)
        if claims["sub"] != subject:
            raise NotAccepted("sub")
        return await self._tokens(client, answer, claims)

    async def _post_token(self, client: Client, form: str) -> dict[str, Any]:
        metadata = (await self._of(client.configuration.issuer)).metadata
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        url, headers, body = _authentication(client, metadata).prepare(
            "POST", metadata["token_endpoint"], headers, form
        )
        status, answer = await exchange(self.network, "POST", url, headers=headers, content=body)
        if status >= 400:
            raise Denied(str(answer.get("error"))[:100])
        return answer

    async def _claims(
        self, client: Client, answer: Mapping[str, Any], *, nonce: str | None
    ) -> Mapping[str, Any]:
        known = await self._of(client.configuration.issuer)
        given: dict[str, Any] = {
            "token": answer.get("id_token"),
            "issuer": client.configuration.issuer,
            "client_id": client.configuration.client_id,
            "nonce": nonce,
            "access_token": answer.get("access_token"),
            "algorithms": _algorithms(known.metadata),
            "now": self.clock(),
        }
        try:
            return read_id_token(keys=known.keys, **given)
        except UnknownKey:
            await self._read_keys_again(known)
            return read_id_token(keys=known.keys, **given)

    async def _tokens(
        self, client: Client, answer: Mapping[str, Any], claims: Mapping[str, Any]
    ) -> Tokens:
        needed = {"email", (client.configuration.role_claim or "email").partition(".")[0]}
        if not needed <= claims.keys():
            claims = {**await self._user_info(client, answer, claims["sub"]), **claims}
        refresh_token = answer.get("refresh_token")
        is_text = isinstance(refresh_token, str) and 0 < len(refresh_token) <= 16_384
        return Tokens(claims, refresh_token if is_text else None)

    async def _user_info(
        self, client: Client, answer: Mapping[str, Any], subject: str
    ) -> Mapping[str, Any]:
        metadata = (await self._of(client.configuration.issuer)).metadata
        url, token = metadata.get("userinfo_endpoint"), answer.get("access_token")
        if not isinstance(url, str) or not isinstance(token, str) or not token.isascii():
            return {}
        if self.allowed.breach(url) is not None or not token.isprintable():
            raise ProviderUnavailable("metadata")
        status, info = await exchange(
            self.network, "GET", url, headers={"Authorization": f"Bearer {token}"}
        )
        if status >= 400:
            return {}
        if info.get("sub") != subject:
            raise NotAccepted("userinfo")
        return info

    async def _of(self, issuer: str) -> _Remembered:
        known = self._remembered.get(issuer)
        now = self.clock()
        if known is not None and abs(now - known.read_at) < _KEPT_FOR:
            return known
        if (breach := self.allowed.breach(issuer)) is not None:
            raise ProviderUnavailable(f"issuer {breach}")
        url = issuer.rstrip("/") + "/.well-known/openid-configuration"
        status, metadata = await exchange(self.network, "GET", url)
        if status != 200 or metadata.get("issuer") != issuer:
            raise ProviderUnavailable("metadata")
        for name in _ENDPOINTS:
            endpoint = metadata.get(name)
            if not isinstance(endpoint, str) or self.allowed.breach(endpoint) is not None:
                raise ProviderUnavailable("metadata")
        keys = await self._fetch_keys(metadata["jwks_uri"])
        known = _Remembered(metadata, keys, now, now)
        while len(self._remembered) >= _REMEMBERED_MAX:
            del self._remembered[next(iter(self._remembered))]
        self._remembered[issuer] = known
        return known

    async def _read_keys_again(self, known: _Remembered) -> None:
        """Look for a key that the provider may have begun to use; not more often than needed."""
        now = self.clock()
        if abs(now - known.keys_read_at) >= _KEYS_REFRESH_AFTER:
            known.keys = await self._fetch_keys(known.metadata["jwks_uri"])
            known.keys_read_at = now

    async def _fetch_keys(self, url: str) -> list[Mapping[str, Any]]:
        status, answer = await exchange(self.network, "GET", url)
        keys = answer.get("keys")
        if status != 200 or not isinstance(keys, list):
            raise ProviderUnavailable("keys")
        return [item for item in keys[:100] if isinstance(item, dict)]


def _authentication(client: Client, metadata: Mapping[str, Any]) -> Any:
    configuration, secret = client.configuration, client.secret
    if secret is None:
        return ClientAuth(configuration.client_id, "", "none")
    methods = metadata.get("token_endpoint_auth_methods_supported")
    if isinstance(methods, list) and "client_secret_basic" not in methods:
        return ClientAuth(configuration.client_id, secret, "client_secret_post")
    parts = (quote(item, safe="") for item in (configuration.client_id, secret))
    return ClientAuth(*parts, "client_secret_basic")


def _algorithms(metadata: Mapping[str, Any]) -> list[str]:
    said = metadata.get("id_token_signing_alg_values_supported")
    if not isinstance(said, list):
        return ["RS256"]
    return [item for item in ALGORITHMS if item in said]
