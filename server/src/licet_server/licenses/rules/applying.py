"""What a license becomes when a policy is applied to it."""

from msgspec.structs import replace

from licet_server.kit.labels import MAX_PAIRS
from licet_server.licenses import errors
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import Policy
from licet_server.licenses.rules.transitions import require_not_revoked

APPLIED = (
    "max_active_users_count",
    "activation_mode",
    "device_binding_mode",
    "entitlement_set_id",
)
"""The fields that a license gets from a policy that names them, by their names in both.

Its term, grace and balance stay: they are what was paid for. Its pairs of metadata are joined.
"""


def applied(license_: License, policy: Policy) -> License:
    """The license under the policy; unchanged if it is so already.

    Raises:
        Refused: `Conflict` for a revoked license, one of another product or model, or one that has
            too many pairs of metadata.
    """
    require_not_revoked(license_)
    if license_.product_id != policy.product_id:
        raise errors.policy_of_another_product()
    if license_.type is not policy.type:
        raise errors.policy_of_another_model(policy.type)
    named = {name: value for name in APPLIED if (value := getattr(policy, name)) is not None}
    metadata = {**license_.metadata, **policy.metadata}
    if len(metadata) > MAX_PAIRS:
        raise errors.too_much_metadata(MAX_PAIRS)
    after = replace(license_, **named, metadata=metadata, policy_id=policy.id)
    return license_ if after == license_ else after
