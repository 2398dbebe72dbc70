"""A plan: shown in words, and carried out."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from difflib import ndiff
from typing import Any

from licet_server.as_code.errors import ServerRefused
from licet_server.as_code.rules.model import Action, Kind, Plan, Present, Step
from licet_server.as_code.rules.requests import request_for
from licet_server.as_code.service import Service
from licet_server.kit.text import one_line

_MARKS = {Action.CREATE: "+", Action.CHANGE: "~", Action.DELETE: "-"}
_SHOWN = 80
_NOTHING = object()


def show_plan(plan: Plan) -> Iterator[str]:
    """Yield the lines that describe a plan."""
    for step in plan.steps:
        yield f"{_MARKS[step.action]} {step.label}"
        yield from (f"    {line}" for line in _fields(step))
    if not plan.steps:
        yield "No difference"
    else:
        yield _sum(plan)
    if plan.unnamed:
        yield "Not in the file, and left as it is (--prune deletes it):"
        yield from (f"    {label}" for label in plan.unnamed)


def _sum(plan: Plan) -> str:
    counts = {action: sum(step.action is action for step in plan.steps) for action in Action}
    return ", ".join(f"{count:,} to {action}" for action, count in counts.items() if count)


def _fields(step: Step) -> Iterator[str]:
    if step.action is Action.DELETE:
        if step.key.kind is Kind.PRODUCT:
            yield "with everything in it"
        return
    for name, value in step.after.items():
        if step.action is Action.CHANGE:
            yield from _change(name, step.before.get(name), value)
        elif name != step.key.kind.named_by and value is not None:
            yield f"{name}: {_shown(value)}"


def _change(name: str, before: Any, after: Any) -> Iterator[str]:
    """Yield a field before and after, objects by entry and longer text by line."""
    if isinstance(before, str) and isinstance(after, str) and "\n" in before + after:
        yield f"{name}:"
        yield from (f"  {line}" for line in _lines(before, after))
        return
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        yield f"{name}: {_shown(before)} -> {_shown(after)}"
        return
    spelled = {key.lower(): key for key in (*before, *after)}
    old = {key.lower(): value for key, value in before.items()}
    new = {key.lower(): value for key, value in after.items()}
    for key, spelling in spelled.items():
        was, becomes = old.get(key, _NOTHING), new.get(key, _NOTHING)
        if was != becomes:
            yield from _change(f"{name}.{one_line(spelling)}", was, becomes)


def _lines(before: str, after: str) -> Iterator[str]:
    """Yield the removed and the added lines."""
    for line in ndiff(before.splitlines(), after.splitlines()):
        if line[0] in "-+":
            yield f"{line[0]} {_cut(one_line(line[2:]))}".rstrip()


def _shown(value: Any) -> str:
    if value is _NOTHING:
        return "(none)"
    return _cut(one_line(json.dumps(value, ensure_ascii=False, default=_number)))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


OnDone = Callable[[Step, str | None], None]
"""Called after each step, with the secret of a new webhook."""


class StepRefused(ServerRefused):
    """A step was refused. Those before it are done, and applying the file again does the rest."""

    def __init__(self, step: Step, reason: ServerRefused) -> None:
        super().__init__(str(reason), reason.code)
        self.step = step


def apply_plan(service: Service, plan: Plan, present: Sequence[Present], on_done: OnDone) -> None:
    """Execute the steps of a plan without problems in order.

    Raises:
        StepRefused: at the first step that the service refuses.
    """
    ids = {item.key: item.id for item in present}
    for step in plan.steps:
        try:
            answer = service.send(request_for(step, ids))
        except ServerRefused as refused:
            raise StepRefused(step, refused) from None
        if step.action is Action.CREATE and "id" in answer:
            ids[step.key] = answer["id"]
        on_done(step, answer.get("secret"))
