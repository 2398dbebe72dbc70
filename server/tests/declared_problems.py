"""Holds every refusal that a test meets against what the API document declares for its route."""

import json
import re
from typing import Any

import httpx

from licet_server.app import Application
from licet_server.kit.web.openapi import declared_codes
from licet_server.kit.web.openapi.document import cached_document

_ANY_ROUTE = {"MethodNotAllowed", "InternalError", "Unavailable"}
_PARAMETER = re.compile(r"\\\{\w+\\\}")


_OPERATIONS: list[tuple[str, re.Pattern[str], set[str]]] = []
"""Those of the first application of the process; all have the same routes."""


def _operations(application: Application) -> list[tuple[str, re.Pattern[str], set[str]]]:
    if not _OPERATIONS:
        _OPERATIONS.extend(_read(cached_document(application.litestar)))
    return _OPERATIONS


def _read(document: bytes) -> list[tuple[str, re.Pattern[str], set[str]]]:
    paths: dict[str, Any] = json.loads(document)["paths"]
    return [
        (method, _pattern(path), declared_codes(item))
        for path, operations in paths.items()
        for method, item in operations.items()
    ]


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(_PARAMETER.sub("[^/]+", re.escape(path)), re.IGNORECASE)


def undeclared_problem(application: Application, response: httpx.Response) -> str | None:
    """The operation and the code where a problem is not declared, else `None`."""
    code = json.loads(response.content)["errorCode"]
    method, path = response.request.method.lower(), response.request.url.path
    known = [
        codes
        for operation, pattern, codes in _operations(application)
        if operation == method and pattern.fullmatch(path)
    ]
    if not known or code in _ANY_ROUTE or any(code in codes for codes in known):
        return None
    return f"{method.upper()} {path} declares no {code}"
