"""Cross-origin requests: routes of applications answer browsers of any origin, no others do.

Credentials that a browser adds by itself, such as cookies, are never part of it: what such a
request may do follows from the product key that it sends.
"""

from collections.abc import Mapping

Headers = tuple[tuple[bytes, bytes], ...]

_ANY_ORIGIN = (b"access-control-allow-origin", b"*")
_READABLE = (
    b"Date, ETag, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
)
_ANSWER: Headers = (
    _ANY_ORIGIN,
    (b"access-control-expose-headers", _READABLE),
)
_ALLOWED_HEADERS = (
    b"Content-Type, X-API-KEY, X-License-Username, X-License-Password, X-Request-Id, "
    b"Idempotency-Key, If-None-Match, DPoP"
)
_ONE_DAY = b"86400"


class CrossOrigin:
    """The paths that any origin may call, with the methods that it may use there.

    `{}` stands for any last part of a path, or for the one before it.
    """

    def __init__(self, methods_of: Mapping[str, frozenset[str]]) -> None:
        self._methods_of = methods_of

    def headers(self, path: str, method: str) -> Headers:
        """Return what a response of this route needs to be readable for any origin."""
        methods = self._methods(path)
        return _ANSWER if methods is not None and method in methods else ()

    def preflight(self, path: str, headers: Mapping[bytes, bytes]) -> Headers | None:
        """Return the headers of the response to a preflight request, `None` if it is not ours."""
        methods = self._methods(path)
        if methods is None or b"access-control-request-method" not in headers:
            return None
        return (
            _ANY_ORIGIN,
            (b"access-control-allow-methods", ", ".join(sorted(methods)).encode()),
            (b"access-control-allow-headers", _ALLOWED_HEADERS),
            (b"access-control-max-age", _ONE_DAY),
        )

    def _methods(self, path: str) -> frozenset[str] | None:
        path = path.rstrip("/")  # as routes are found
        known = self._methods_of.get(path)
        if known is not None:
            return known
        before, _, last = path.rpartition("/")
        found = self._methods_of.get(f"{before}/{{}}")
        return found or self._methods_of.get(f"{before.rpartition('/')[0]}/{{}}/{last}")
