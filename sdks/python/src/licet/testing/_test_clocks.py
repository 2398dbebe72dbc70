"""The routes of test clocks: the clock of a Test product stands still until it is advanced."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from licet._clock import optional_time
from licet.testing._fields import integer, optional, read_fields, uuid
from licet.testing._messages import Request, Response, wire_time
from licet.testing._problems import Refused, bad_fields
from licet.testing._state import State, TestClock, new_id

CLOCKS = "/test-clocks"
CLOCK = f"{CLOCKS}/ID"
ADVANCE = f"{CLOCK}/advance"
MAX_DAYS = 3660


def pattern_of(path: str) -> str:
    """The path of a route of clocks, with ``ID`` in the place of the ID."""
    if not path.startswith(f"{CLOCKS}/"):
        return path
    return ADVANCE if path.endswith("/advance") else CLOCK


def list_clocks(state: State, request: Request) -> Response:
    """GET /test-clocks."""
    given = read_fields(request.body, {"productId": optional(uuid)})["productId"]
    clocks = [state.test_clock] if state.test_clock is not None else []
    if given is not None and given.lower() != state.product.id:
        clocks = []
    items = [_view(state, clock) for clock in clocks]
    return Response(200, {"items": items, "page": 1, "pageSize": 20, "totalCount": len(items)})


def create_clock(state: State, request: Request) -> Response:
    """POST /test-clocks."""
    shape = {"productId": uuid, "now": _optional_time}
    fields = read_fields(request.body, shape)
    if fields["productId"].lower() != state.product.id or not state.product.test:
        raise bad_fields([("productId", "is not a Test product. Only Test products have clocks.")])
    present, now = request.now, optional_time(fields["now"])
    if now is not None and now < present:
        raise bad_fields(
            [("now", "is in the past. A test clock starts at the present, or goes ahead.")]
        )
    if state.test_clock is not None:
        raise Refused(
            "Conflict", "The product has a test clock already. Advance it, or delete it first."
        )
    real = _real_now(state)
    state.test_clock = TestClock(new_id(present), real, real, now)
    state.clock.set(now or present, frozen=True)
    return Response(201, _view(state, state.test_clock))


def show_clock(state: State, request: Request) -> Response:
    """GET /test-clocks/ID."""
    return Response(200, _view(state, _find(state, request)))


def advance_clock(state: State, request: Request) -> Response:
    """POST /test-clocks/ID/advance. The clock arrives at once."""
    clock = _find(state, request)
    shape = {
        "to": _optional_time,
        "days": optional(integer(1, MAX_DAYS)),
        "until": _next_event,
    }
    fields = read_fields(request.body, shape)
    if sum(value is not None for value in fields.values()) != 1:
        raise bad_fields([("to", "must be given, or days, or until, and only one of them.")])
    target = _next_end(state) if fields["until"] is not None else _target(state, fields)
    if target is not None:
        state.clock.set(target, frozen=True)
    clock.target, clock.updated_at = target, _real_now(state)
    return Response(202, _view(state, clock))


def delete_clock(state: State, request: Request) -> Response:
    """DELETE /test-clocks/ID. The product goes by the present again."""
    _find(state, request)
    state.test_clock = None
    state.clock.reset()
    return Response(204, None)


def _target(state: State, fields: Mapping[str, Any]) -> datetime:
    now = state.now
    target = optional_time(fields["to"]) or now + timedelta(days=fields["days"] or 0)
    if target < now:
        before = f"is before {now:%Y-%m-%dT%H:%M:%SZ}."
        raise bad_fields([("to", f"{before} A test clock only moves forward.")])
    if target - now > timedelta(days=MAX_DAYS):
        ahead = f"is more than {MAX_DAYS:,} days ahead of the clock."
        raise bad_fields([("to", f"{ahead} Advance in steps.")])
    return target


def _next_end(state: State) -> datetime | None:
    """When the next term or its grace ends; ``None`` if nothing is due any more."""
    ends = (
        end
        for license_ in state.licenses.values()
        for end in (license_.expiration_date, license_.valid_until)
    )
    return min((end for end in ends if end is not None and end > state.now), default=None)


def _find(state: State, request: Request) -> TestClock:
    clock = state.test_clock
    if clock is None or request.path.split("/")[2] != clock.id:
        raise Refused("NotFound")
    return clock


def _view(state: State, clock: TestClock) -> dict[str, Any]:
    return {
        "id": clock.id,
        "institutionId": state.product.institution_id,
        "productId": state.product.id,
        "now": wire_time(state.now),
        "target": None if clock.target is None else wire_time(clock.target),
        "status": "Ready",
        "createdAt": wire_time(clock.created_at),
        "updatedAt": wire_time(clock.updated_at),
    }


def _real_now(state: State) -> datetime:
    return state.clock.source().astimezone(UTC)


def _optional_time(value: Any) -> str | None:
    is_time = value is None or optional_time(value) is not None
    return None if is_time else "must be an RFC 3339 time with a UTC offset."


def _next_event(value: Any) -> str | None:
    return None if value in {None, "NextEvent"} else "must be NextEvent."
