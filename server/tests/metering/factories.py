"""Factories for metering tests."""

from itertools import count

import httpx

_numbers = count(1)


def new_key() -> str:
    """An idempotency key that no other charge has."""
    return f"key-{next(_numbers)}"


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal."""
    body = answer.json()
    assert body["success"] is False, body
    return answer.status_code, body["errorCode"]
