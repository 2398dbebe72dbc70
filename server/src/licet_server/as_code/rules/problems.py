"""Finds the problems of a plan before anything is changed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches

from licet_server.as_code.rules.model import (
    Action,
    Declared,
    Fields,
    Key,
    Kind,
    Present,
    Problem,
    Step,
    label_of,
)
from licet_server.as_code.rules.ordering import named_by, references, value_breach
from licet_server.kit.text import quoted


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a sentence that suggests the most similar name, or an empty text."""
    found = get_close_matches(name, list(known), n=1)
    return f" Did you mean {quoted(found[0])}?" if found else ""


def named_twice(declared: Sequence[Declared]) -> Iterator[Problem]:
    """Yield names that the file has more than once."""
    seen: set[Key] = set()
    for item in declared:
        if item.key in seen:
            field = item.key.kind.named_by
            message = f"is the {field} of another {item.key.kind} of this file."
            yield Problem(f"{item.path}.{field}", message)
        seen.add(item.key)


def broken_references(
    declared: Sequence[Declared], final: Mapping[Key, Fields]
) -> Iterator[Problem]:
    """Yield references to objects that will not exist, and values that features cannot have."""
    for item in declared:
        for key, path in references(item.key, item.fields):
            found = final.get(key)
            if found is None:
                known = [other.name for other in final if other.scope == key.scope]
                message = f"is no {key.kind} of this product.{nearest(key.name, known)}"
                yield Problem(f"{item.path}.{path}", message)
            elif key.kind is Kind.FEATURE:
                value = item.fields["entries"][path.removeprefix("entries.")]
                breach = value_breach(found.get("kind") or "Flag", value)
                if breach is not None:
                    yield Problem(f"{item.path}.{path}", breach)


def refused_deletions(
    deleted: Sequence[Present], final: Mapping[Key, Fields], names: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield deletions of objects that have licenses or that others refer to."""
    for item in deleted:
        label = label_of(item.key, item.fields, names)
        if item.license_count:
            counted = "1 license" if item.license_count == 1 else f"{item.license_count:,} licenses"
            yield Problem("", f"The {label} cannot be deleted: it has {counted}.")
        for key, fields in final.items():
            if item.key in named_by(key, fields):
                user = label_of(key, fields, names)
                yield Problem("", f"The {label} cannot be deleted: the {user} names it.")


def fixed_kinds(
    steps: Sequence[Step],
    there: Mapping[Key, Present],
    final: Mapping[Key, Fields],
    names: Mapping[str, str],
) -> Iterator[Problem]:
    """Yield changes of the kind of features that an entitlement set contains."""
    for step in steps:
        if step.action is not Action.CHANGE or "kind" not in step.after:
            continue
        for key, fields in final.items():
            before = there.get(key)
            if before is None or step.key not in named_by(key, before.fields):
                continue
            if step.key in named_by(key, fields):
                message = (
                    f"cannot change while the {label_of(key, fields, names)} contains the "
                    "feature. Apply the file once without it in the set."
                )
                yield Problem(f"{step.path}.kind", message)


def fixed_modes(steps: Sequence[Step]) -> Iterator[Problem]:
    """Yield changes of the mode of products."""
    for step in steps:
        if step.key.kind is Kind.PRODUCT and step.action is Action.CHANGE and "mode" in step.after:
            message = "cannot change. Give a product of the other mode another name."
            yield Problem(f"{step.path}.mode", message)
