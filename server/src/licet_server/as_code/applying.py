"""Carries out a plan."""

from collections.abc import Callable, Sequence

from licet_server.as_code.errors import ServerRefused
from licet_server.as_code.rules.model import Action, Plan, Present, Step
from licet_server.as_code.rules.requests import request_for
from licet_server.as_code.service import Service

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
