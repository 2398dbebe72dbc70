"""`plan`, `apply`, `export` and `schema`: what an institution sells, as a file."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TextIO

from cyclopts import Parameter

from licet_server.as_code.errors import AsCodeError, ServerRefused
from licet_server.as_code.fetching import (
    export_text,
    fetch_declared,
    fetch_institution,
    fetch_products,
    fetch_webhooks,
)
from licet_server.as_code.plans import StepRefused, apply_plan, show_plan
from licet_server.as_code.reading import SourceFile, read_file
from licet_server.as_code.rules.comparing import compare
from licet_server.as_code.rules.model import Action, Kind, Plan, Present, Problem, Step
from licet_server.as_code.schemas import schema_document
from licet_server.as_code.service import Service
from licet_server.cli.options import CheckedFile, WrittenFile, console, hand_out, say
from licet_server.kit.settings import InvalidSetting

_DIFFERENT = 2

Server = Annotated[str | None, Parameter(env_var="LICET_SERVER", help="The URL of the service.")]
ApiKey = Annotated[
    str | None,
    Parameter(
        env_var="LICET_API_KEY",
        help="An account API key. Other users of this computer cannot see the variable.",
    ),
]
Prune = Annotated[
    bool, Parameter(negative=(), help="Delete what is missing in a list that the file has.")
]


def plan(
    file: Path, *, prune: Prune = False, server: Server = None, api_key: ApiKey = None
) -> None:
    """Show what `apply` would change, and change nothing.

    The exit code is 0 if there is no difference, 2 if there is one, and 1 if something is wrong.

    Parameters
    ----------
    file
        The file that tells what the service should have.
    """
    source = read_file(file)
    with _connect(server, api_key) as service:
        found = _plan(source, fetch_declared(service, source.declaration), prune=prune)
    _show(found)
    if found.steps:
        sys.exit(_DIFFERENT)


def apply(
    file: Path,
    *,
    prune: Prune = False,
    yes: bool = False,
    secrets: Path | None = None,
    server: Server = None,
    api_key: ApiKey = None,
) -> None:
    """Make the service have what a file says. Applied again, it changes nothing.

    Parameters
    ----------
    file
        The file that tells what the service should have.
    yes
        Delete without asking.
    secrets
        Write the signing secrets of new webhooks to this file, which must not exist.
    """
    source = read_file(file)
    with _connect(server, api_key) as service:
        present = fetch_declared(service, source.declaration)
        found = _plan(source, present, prune=prune)
        _show(found)
        deletions = sum(step.action is Action.DELETE for step in found.steps)
        if deletions and not yes:
            _confirm(deletions)
        _apply(service, source, found, present, secrets)


def export(*, server: Server = None, api_key: ApiKey = None) -> None:
    """Print what the service has, as a file for `plan` and `apply`.

    Webhooks are left out for an API key that may not read them.
    """
    with _connect(server, api_key) as service:
        present = [*fetch_products(service, lambda _name: True), *fetch_institution(service)]
        webhooks = _readable_webhooks(service)
    print(export_text(present, webhooks), end="")


def schema(*, check: CheckedFile = None, write: WrittenFile = None) -> None:
    """Print the JSON Schema of the file, write it to a file, or check that a file is up to date."""
    hand_out(schema_document(), check, write)


def _readable_webhooks(service: Service) -> list[Present] | None:
    """Return all webhooks; `None` for an API key that may not read them."""
    try:
        return list(fetch_webhooks(service))
    except ServerRefused as refused:
        if refused.code != "Forbidden":
            raise
        say(f"Left out the webhooks. {refused}")
        return None


def _connect(server: str | None, api_key: str | None) -> Service:
    if not server:
        raise InvalidSetting("LICET_SERVER", "must be set, or --server given: the service's URL.")
    if not api_key:
        raise InvalidSetting(
            "LICET_API_KEY", "must be set, or --api-key given: an account API key."
        )
    return Service(server, api_key)


def _plan(source: SourceFile, present: Sequence[Present], *, prune: bool) -> Plan:
    found = compare(source.declaration, present, prune=prune)
    if found.problems:
        raise source.refusal(found.problems)
    return found


def _show(found: Plan) -> None:
    for line in show_plan(found):
        print(line)


def _confirm(deletions: int) -> None:
    """Ask before something is deleted.

    Raises:
        AsCodeError: the user does not say yes, or there is nobody to ask.
    """
    if not sys.stdin.isatty():
        raise AsCodeError("Something would be deleted. Add --yes to do it without being asked.")
    noun = "one object" if deletions == 1 else f"{deletions:,} objects"
    console.print(f"Delete {noun}, marked with - above? Type yes:", end=" ", markup=False)
    if input().strip().lower() != "yes":
        raise AsCodeError("Nothing was changed.")


def _apply(
    service: Service,
    source: SourceFile,
    found: Plan,
    present: Sequence[Present],
    secrets: Path | None,
) -> None:
    creates_webhook = any(
        step.action is Action.CREATE and step.key.kind is Kind.WEBHOOK for step in found.steps
    )
    target = _open_private(secrets) if secrets is not None and creates_webhook else None
    done: list[Step] = []

    def on_done(step: Step, secret: str | None) -> None:
        done.append(step)
        if secret is not None:
            _hand_over(step, secret, target)

    try:
        apply_plan(service, found, present, on_done)
    except StepRefused as refused:
        say(
            f"Made {len(done):,} of {len(found.steps):,} changes; apply the file again for the rest"
        )
        problem = Problem(refused.step.path, f"{refused.step.label}: {refused}")
        raise source.refusal([problem]) from None
    finally:
        if target is not None:
            target.close()
    if done:
        say(f"Made {len(done):,} changes")


def _open_private(file: Path) -> TextIO:
    """Open a new file that only its owner can read."""
    number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    return os.fdopen(number, "w", encoding="utf-8")


def _hand_over(step: Step, secret: str, target: TextIO | None) -> None:
    """Write the secret of a webhook at once: the service never shows it again."""
    if target is None:
        say(f"The secret of the {step.label} is not shown. Rotate it, or use --secrets next time")
        return
    target.write(json.dumps({"url": step.after["url"], "secret": secret}) + "\n")
    target.flush()
