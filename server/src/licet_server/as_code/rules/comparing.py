"""Compares a file with a service: the steps that bring the service in line with the file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from licet_server.as_code.rules.mail_templates import wrong_templates
from licet_server.as_code.rules.model import (
    Action,
    Declaration,
    Declared,
    Key,
    Kind,
    Plan,
    Present,
    Step,
    label_of,
)
from licet_server.as_code.rules.ordering import in_order
from licet_server.as_code.rules.problems import (
    broken_references,
    fixed_kinds,
    fixed_modes,
    named_twice,
    refused_deletions,
)

ONLY_FOR_NEW = "initialVersion"
"""A field that is not compared: the first release of a product that is created."""


def compare(declaration: Declaration, present: Sequence[Present], *, prune: bool) -> Plan:
    """Plan the steps that bring the service in line with the file.

    Objects that the file does not name stay, unless `prune` is set: then objects that are missing
    in a list of the file are deleted.
    """
    there = {item.key: item for item in present}
    wanted = {item.key: item for item in declaration.objects}
    unnamed = [
        item for item in present if item.key not in wanted and item.key.scope in declaration.scopes
    ]
    deleted = unnamed if prune else []
    gone = {item.key for item in deleted}
    final = {
        key: item.fields
        for key, item in there.items()
        if key not in gone and Key(Kind.PRODUCT, key.product) not in gone
    }
    for key, new in wanted.items():
        final[key] = {**final.get(key, {}), **new.fields}
    names = _product_names([*present, *declaration.objects])
    steps = [
        *_creations_and_changes(declaration.objects, there, names),
        *(_deletion(item, names) for item in deleted),
    ]
    problems = [
        *named_twice(declaration.objects),
        *broken_references(declaration.objects, final),
        *refused_deletions(deleted, final, names),
        *fixed_kinds(steps, there, final, names),
        *fixed_modes(steps),
        *wrong_templates(declaration.objects, final),
    ]
    left = [] if prune else [label_of(item.key, item.fields, names) for item in unnamed]
    return Plan(in_order(steps, there, final), problems, left)


def _product_names(objects: Sequence[Declared | Present]) -> Mapping[str, str]:
    """Return the spelling of product names, as in the last object."""
    return {item.key.name: item.fields["name"] for item in objects if item.key.kind is Kind.PRODUCT}


def _creations_and_changes(
    declared: Sequence[Declared], there: Mapping[Key, Present], names: Mapping[str, str]
) -> Iterator[Step]:
    for item in declared:
        current = there.get(item.key)
        label = label_of(item.key, item.fields, names)
        if current is None:
            yield Step(
                action=Action.CREATE, key=item.key, label=label, after=item.fields, path=item.path
            )
        elif differing := _differing(item, current):
            yield Step(
                action=Action.CHANGE,
                key=item.key,
                label=label,
                before={name: current.fields.get(name) for name in differing},
                after=differing,
                id=current.id,
                path=item.path,
            )


def _differing(item: Declared, current: Present) -> dict[str, Any]:
    return {
        name: value
        for name, value in item.fields.items()
        if name != ONLY_FOR_NEW
        and _comparable(name, value) != _comparable(name, current.fields.get(name))
    }


def _deletion(item: Present, names: Mapping[str, str]) -> Step:
    label = label_of(item.key, item.fields, names)
    return Step(action=Action.DELETE, key=item.key, label=label, before=item.fields, id=item.id)


def _comparable(name: str, value: Any) -> Any:
    """Return a value in one form, ignoring the case of references and the order of lists."""
    if value is None:
        return None
    match name:
        case "entries":
            return {feature.lower(): granted for feature, granted in value.items()}
        case "entitlementSet":
            return value.lower()
        case "eventTypes" | "settings.hardwareIdKinds":
            return frozenset(value)
        case _:
            return value
