"""Holds every response that a test meets against what the API document declares for its route."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from litestar import Litestar

from licet_server.app import Application
from licet_server.kit.web.openapi.document import cached_document, declared_codes

_ANY_ROUTE = {"MethodNotAllowed", "InternalError", "Unavailable"}
_DOCUMENT = Path(__file__).parents[2] / "docs" / "openapi.json"
_PARAMETER = re.compile(r"\\\{\w+\\\}")

Operations = list[tuple[str, re.Pattern[str], set[str]]]
"""Method, pattern of the path, and what it declares: statuses, and the codes of its problems."""


@cache
def _published() -> Operations:
    """Return those of the document in the repository, since generating it takes a second."""
    return _read(_DOCUMENT.read_bytes())


_first: list[Operations] = []


def _generated(litestar: Litestar) -> Operations:
    """Return those of the sources, which a document from before a change has not.

    All applications of a process have the same, and to generate them takes seconds.
    """
    if not _first:
        _first.append(_read(cached_document(litestar)))
    return _first[0]


def _read(document: bytes) -> Operations:
    paths: dict[str, Any] = json.loads(document)["paths"]
    return [
        (method, _pattern(path), declared_codes(item) | item["responses"].keys())
        for path, operations in paths.items()
        for method, item in operations.items()
    ]


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(_PARAMETER.sub("[^/]+", re.escape(path)), re.IGNORECASE)


def undeclared_problem(application: Application, response: httpx.Response) -> str | None:
    """The operation and the code where a problem is not declared, else `None`."""
    code = json.loads(response.content)["errorCode"]
    return None if code in _ANY_ROUTE else _undeclared(application, response, code)


def undeclared_status(application: Application, response: httpx.Response) -> str | None:
    """The operation and the status of what is no problem, where it is not declared, else `None`."""
    return _undeclared(application, response, str(response.status_code))


def _undeclared(application: Application, response: httpx.Response, said: str) -> str | None:
    method, path = response.request.method.lower(), response.request.url.path
    if _declares(_published(), method, path, said) is True:
        return None
    if _declares(_generated(application.litestar), method, path, said) is False:
        return f"{method.upper()} {path} declares no {said}"
    return None


def _declares(operations: Operations, method: str, path: str, said: str) -> bool | None:
    """Return whether an operation declares this; `None` if there is no such operation."""
    known = [
        declared
        for operation, pattern, declared in operations
        if operation == method and pattern.fullmatch(path)
    ]
    return any(said in declared for declared in known) if known else None
