"""The home page of an institution."""

from datetime import timedelta
from uuid import UUID

from licet_server.connectors.service.orders import find_unmatched
from licet_server.home.schemas import Home, Waiting, WaitingItem, WaitingKind
from licet_server.home.service.waiting import (
    newest_first,
    of_attention,
    of_mails,
    of_orders,
    of_upgrade,
    of_webhooks,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.mail import find_failed
from licet_server.statistics.rules.period import period_of
from licet_server.statistics.service.attention import attention
from licet_server.statistics.service.comparison import comparison
from licet_server.statistics.service.overview import count_current
from licet_server.statistics.service.scope import Scope
from licet_server.upgrades.service import find_upgrade
from licet_server.webhooks.service.webhooks import find_failing

SHOWN = 10
MAILS_SINCE = timedelta(days=7)


async def home(scope: Scope, operator: Operator, institution_id: UUID) -> Home:
    """Collect what waits for the operator in an institution, and its figures within the scope.

    Owners and Admins also see attempts, webhooks and orders, system Admins e-mails and upgrades.
    """
    counts, items = await _of_institution(scope, operator, institution_id)
    if operator.is_system_admin:
        of_instance = await _of_instance(scope)
        counts |= of_instance[0]
        items += of_instance[1]
    return Home(
        as_of=scope.now,
        waiting=Waiting(sum(counts.values()), counts, newest_first(items)),
        now=await count_current(scope.db, scope.visibility, scope.now),
        period=await comparison(scope, period_of(None, None, scope.now)),
    )


Found = tuple[dict[WaitingKind, int], list[WaitingItem]]


async def _of_institution(scope: Scope, operator: Operator, institution_id: UUID) -> Found:
    is_admin = operator.is_admin_of(institution_id)
    found = await attention(scope, operator, shown=SHOWN)
    counts = {
        WaitingKind.PENDING_DEVICE: found.pending_activations.count,
        WaitingKind.LOW_BALANCE: found.low_balances.count,
        WaitingKind.EXPIRING_LICENSE: found.expiring_licenses.count,
    }
    items = list(of_attention(found, may_act=is_admin))
    if found.access_attempts is not None:
        counts[WaitingKind.ACCESS_ATTEMPT] = found.access_attempts.count
    if is_admin:
        failing = await find_failing(scope.db, institution_id)
        counts[WaitingKind.FAILING_WEBHOOK] = len(failing)
        items += of_webhooks(failing[:SHOWN])
        unmatched, oldest = await find_unmatched(scope.db, operator, institution_id, SHOWN)
        counts[WaitingKind.UNMATCHED_ORDER] = unmatched
        items += of_orders(oldest)
    return counts, items


async def _of_instance(scope: Scope) -> Found:
    count, failed = await find_failed(scope.db, scope.now - MAILS_SINCE, SHOWN)
    release = await find_upgrade(scope.db)
    counts = {WaitingKind.FAILED_MAIL: count, WaitingKind.UPGRADE: int(release is not None)}
    return counts, [*of_mails(failed), *([of_upgrade(release)] if release is not None else [])]
