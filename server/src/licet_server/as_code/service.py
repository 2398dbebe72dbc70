"""A client of the API of the service."""

import time
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from ipaddress import ip_address
from types import TracebackType
from typing import Any

import httpx
import msgspec

from licet_server.as_code.errors import ServerRefused
from licet_server.as_code.rules.requests import ApiRequest
from licet_server.kit.settings import InvalidSetting
from licet_server.kit.text import one_line

_TIMEOUT_S = 60.0
_ATTEMPTS = 5
_LONGEST_WAIT_S = 60
_PAGE = 100
_TOO_MANY, _UNAVAILABLE = 429, 503
_SHOWN = 1_000
_NOT_LICET = "The server does not respond as Licet does. Check the URL."
_NOT_THE_KEY = (
    "The service does not accept the API key: it is unknown, expired or revoked, or the user who "
    "created it has left."
)
_encoder = msgspec.json.Encoder(decimal_format="number")
_decoder = msgspec.json.Decoder(float_hook=Decimal)


class Service:
    """Sends requests with an API key, and retries them if the service asks for it."""

    def __init__(
        self,
        address: str,
        api_key: str,
        *,
        transport: httpx.BaseTransport | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Connect to the service at `address`.

        Raises:
            InvalidSetting: the address is no URL, or everybody on the way could read the key.
        """
        _require_protected(address)
        self._client = httpx.Client(
            base_url=address,
            headers={"x-api-key": api_key},
            timeout=_TIMEOUT_S,
            transport=transport,
        )
        self._wait = wait

    def __enter__(self) -> "Service":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def send(self, request: ApiRequest) -> Mapping[str, Any]:
        """Send a request; return the body of the response, empty if it has none.

        Only requests that have certainly changed nothing are retried.

        Raises:
            ServerRefused: with the reason in words.
        """
        body = None if request.body is None else _encoder.encode(request.body)
        for attempt in range(1, _ATTEMPTS + 1):
            response = self._try(request, body)
            is_safe = response.status_code == _TOO_MANY or request.method == "GET"
            is_busy = response.status_code in {_TOO_MANY, _UNAVAILABLE}
            if not is_busy or not is_safe or attempt == _ATTEMPTS:
                return _answer(response)
            self._wait(_delay(response))
        raise AssertionError("every attempt returns or waits")

    def list_all(self, path: str) -> Iterator[Mapping[str, Any]]:
        """Yield all items of a list in the order of their creation.

        Raises:
            ServerRefused: with the reason in words.
        """
        joint = "&" if "?" in path else "?"
        after: str | None = ""
        while after is not None:
            page = self.send(
                ApiRequest("GET", f"{path}{joint}pageSize={_PAGE}&after={after}", None)
            )
            if not isinstance(page.get("items"), list):
                raise ServerRefused(_NOT_LICET)
            yield from page["items"]
            after = page.get("nextAfter")

    def _try(self, request: ApiRequest, body: bytes | None) -> httpx.Response:
        headers = {} if body is None else {"content-type": "application/json"}
        try:
            return self._client.request(request.method, request.path, content=body, headers=headers)
        except httpx.RequestError as fault:
            reason = one_line(str(fault)) or type(fault).__name__
            message = f"The service at {self._client.base_url} does not respond: {reason}"
            raise ServerRefused(message) from None


def _require_protected(address: str) -> None:
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL:
        url = httpx.URL()
    if not url.host or url.scheme not in {"http", "https"}:
        raise InvalidSetting(
            "LICET_SERVER",
            "must be the URL of the service, for example https://licenses.example.com.",
        )
    if url.scheme == "http" and not _is_this_computer(url.host):
        raise InvalidSetting(
            "LICET_SERVER", "must begin with https://, because everybody on the way reads the key."
        )


def _is_this_computer(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _delay(response: httpx.Response) -> float:
    asked = response.headers.get("retry-after", "")
    return min(int(asked), _LONGEST_WAIT_S) if asked.isdigit() else 1.0


def _answer(response: httpx.Response) -> Mapping[str, Any]:
    try:
        body = _decoder.decode(response.content) if response.content else {}
    except msgspec.DecodeError:
        body = None
    if response.is_success and isinstance(body, dict):
        return body
    if not isinstance(body, dict) or "detail" not in body:
        raise ServerRefused(f"{_NOT_LICET} Its status is {response.status_code}.")
    code = str(body.get("errorCode", ""))
    details = [_NOT_THE_KEY if code == "Unauthorized" else str(body["detail"])]
    details += [f"{item['field']}: {item['message']}" for item in body.get("errors") or []]
    shown = "\n".join(one_line(line)[:_SHOWN] for line in details)
    raise ServerRefused(shown, code)
