"""Checks the rules of a connector."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from licet_server.connectors.rules.model import QuantityMeaning, SaleRule
from licet_server.kit.errors import FieldError
from licet_server.licenses.rules.policies import Policy


def rules_breaches(
    rules: Sequence[SaleRule], policies: Mapping[UUID, Policy]
) -> Iterator[FieldError]:
    """Yield the errors of rules. Rules may overlap, but no two match exactly the same."""
    first: dict[tuple[str | None, str | None], int] = {}
    for at, rule in enumerate(rules):
        other = first.setdefault((rule.product, rule.price), at)
        if other != at:
            message = f"is for the same product and price as rules[{other}]."
            yield FieldError(f"rules[{at}].match", message)
        for breach in rule_breaches(rule, policies):
            yield FieldError(f"rules[{at}].{breach.field}", breach.message)


def rule_breaches(rule: SaleRule, policies: Mapping[UUID, Policy]) -> Iterator[FieldError]:
    """Yield the errors of a single rule."""
    if rule.policy_id is None:
        return
    policy = policies.get(rule.policy_id)
    if policy is None:
        yield FieldError("policyId", "must be a policy of the institution.")
    elif rule.quantity_as is QuantityMeaning.SEATS and not policy.type.traits.seat_cap_required:
        yield FieldError(
            "quantityAs",
            f"must be Licenses: a license of the model {policy.type} has no seats to sell.",
        )
