"""How many customers of each month pay again."""

from datetime import datetime
from uuid import UUID

from licet_server.catalog.service.lookup import find_product
from licet_server.connectors.rules.retention import MONTHS_SHOWN, Cohort, cohorts, month_of
from licet_server.connectors.storage.retention import count_renewers
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.licenses.service.policies import find_policies_of


async def retention(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    product_id: UUID | None,
    now: datetime,
) -> list[Cohort]:
    """Count who renewed, by the month of the first purchase; by default of the operator's own.

    With a product, by orders of it and of no other.

    Raises:
        Refused: `NotFound` for a product that the operator does not see.
    """
    policy_ids = None
    if product_id is not None:
        scope = operator.visibility_of(institution_id)
        product = operator.found(await find_product(db, scope, product_id), "product")
        institution_id = product.institution_id
        policies = await find_policies_of(db, institution_id, product_id)
        policy_ids = [str(policy.id) for policy in policies]
    institution_id = institution_id or operator.first_institution
    if institution_id is None:
        return []
    if institution_id not in operator.visibility_of(institution_id).institutions:
        return []
    since = month_of(now) - MONTHS_SHOWN + 1
    return cohorts(await count_renewers(db, institution_id, since, now, policy_ids), now)
