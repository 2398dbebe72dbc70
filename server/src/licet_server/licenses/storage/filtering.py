"""What a filter of licenses asks for, in SQL."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, func, or_

from licet_server.kit.visibility import Visibility
from licet_server.kit.word_search import has_words
from licet_server.licenses.rules.keys import normal_starts
from licet_server.licenses.rules.model import LicenseFilter, LicenseStatus
from licet_server.licenses.storage.records import select_visible
from licet_server.licenses.storage.status import valid_until
from licet_server.licenses.tables import licenses


def filtered(visibility: Visibility, filters: LicenseFilter, now: datetime) -> Select[Any]:
    """Select the visible licenses that match the filters at `now`."""
    return matching(select_visible(visibility), filters, now)


def matching(statement: Select[Any], filters: LicenseFilter, now: datetime) -> Select[Any]:
    """Narrow a selection of licenses to those that match the filters at `now`."""
    if filters.product_id is not None:
        statement = statement.where(licenses.c.product_id == filters.product_id)
    if filters.policy_id is not None:
        statement = statement.where(licenses.c.policy_id == filters.policy_id)
    if filters.customer_id is not None:
        statement = statement.where(licenses.c.customer_id == filters.customer_id)
    if filters.type is not None:
        statement = statement.where(licenses.c.type == filters.type)
    if filters.issued_to is not None:
        statement = statement.where(func.lower(licenses.c.issued_to) == filters.issued_to.lower())
    if filters.expiring_before is not None:
        statement = statement.where(licenses.c.expiration_date < filters.expiring_before)
    if filters.status is not None:
        statement = statement.where(has_status(filters.status, now))
    if filters.search is not None:
        statement = statement.where(matches(filters.search))
    return statement


def has_status(status: LicenseStatus, now: datetime) -> ColumnElement[bool]:
    """`License.status` in SQL; a test compares the two."""
    revoked, suspended = licenses.c.revoked_at.is_not(None), licenses.c.suspended_at.is_not(None)
    # The end of the term is for the index: a license expires at that or later.
    expired = and_(licenses.c.expiration_date <= now, valid_until <= now)
    match status:
        case LicenseStatus.REVOKED:
            return revoked
        case LicenseStatus.SUSPENDED:
            return and_(~revoked, suspended)
        case LicenseStatus.EXPIRED:
            return and_(~revoked, ~suspended, expired)
        case LicenseStatus.ACTIVE:
            unlimited = licenses.c.expiration_date.is_(None)
            return and_(~revoked, ~suspended, or_(unlimited, valid_until > now))


def matches(search: str) -> ColumnElement[bool]:
    """Each word of the search starts a word of name, receiver or issuer; or it starts the key."""
    words = has_words(licenses.c.search_words, search)
    keys = [
        licenses.c.normal_key.startswith(start, autoescape=True) for start in normal_starts(search)
    ]
    return or_(false() if words is None else words, *keys)
