"""Replaying recorded checks with one answer changed, as a broken driver would give it."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from conformance.requirements import Requirement, checks
from conformance.run import Outcome, judge
from conformance.world import DriverHandle, Observation, World

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Mutation:
    """One behavior, broken.

    Attributes:
        case: A pattern of the checks in which it shows.
        name: A pattern of what is observed: an operation, a control request, ``end``, a file.
        change: Turns what a good driver causes into what the broken one causes.
    """

    case: str
    name: str
    change: Change

    def apply(self, observation: Observation, case: str) -> Any:
        """What is observed with the broken driver."""
        if not (fnmatchcase(case, self.case) and fnmatchcase(observation.name, self.name)):
            return observation.outcome
        return self.change(copy.deepcopy(observation.outcome))


class Replay:
    """Gives a check what was observed before, changed by a mutation."""

    def __init__(self, observations: Sequence[Observation], mutation: Mutation) -> None:
        self._rest = list(observations)
        self._mutation, self._case = mutation, ""

    def observe(
        self, channel: str, name: str, request: Mapping[str, Any], perform: Callable[[], Any]
    ) -> Any:
        assert self._rest, "the check waits for what the broken driver never does"
        observation = self._rest.pop(0)
        expected = (observation.channel, observation.name)
        assert (channel, name) == expected, f"the check goes on with {name}"
        if channel == "driver":
            self._case = request["case"]
        return self._mutation.apply(observation, self._case)


def is_touched(outcome: Outcome, mutation: Mutation) -> bool:
    """Whether a recorded check would have observed anything else with the broken driver."""
    case = ""
    for observation in outcome.observations:
        case = observation.request["case"] if observation.channel == "driver" else case
        if mutation.apply(observation, case) != observation.outcome:
            return True
    return False


def replay(outcome: Outcome, requirement: Requirement, mutation: Mutation) -> tuple[str, str]:
    """Repeat a recorded check with a broken driver; returns the verdict and the reason."""
    check = dict(checks(requirement))[outcome.label]
    observer = Replay(outcome.observations, mutation)
    folder = Path(outcome.folder)  # its path stands in the recorded answers
    folder.mkdir()
    try:
        handle = DriverHandle(observer, None, outcome.label)
        return judge(check, World(handle, None, folder, observer, lambda _: None, pause=0))
    finally:
        shutil.rmtree(folder)


def catchers(
    outcomes: Sequence[Outcome], known: Mapping[str, Requirement], mutation: Mutation
) -> set[str]:
    """The requirements whose checks fail with the broken driver."""
    return {
        outcome.requirement
        for outcome in outcomes
        if outcome.verdict == "passed"
        and is_touched(outcome, mutation)
        and replay(outcome, known[outcome.requirement], mutation)[0] == "failed"
    }
