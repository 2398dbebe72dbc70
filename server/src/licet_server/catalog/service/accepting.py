"""Associations on the side of the customer, who sees nothing else of the vendor."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from licet_server.catalog import errors
from licet_server.catalog.rules.model import Association, Product
from licet_server.catalog.service.associations import Parties, invite_url, record_acceptance
from licet_server.catalog.storage import associations as storage
from licet_server.catalog.storage import products
from licet_server.events.rules.model import differences
from licet_server.identity.errors import invalid_link
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.throttling import limit_failures, limits_of_emailed_token
from licet_server.identity.service.tokens import digest
from licet_server.institutions.rules.members import institution_of_invitation
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import institution_names
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field, not_found
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class AssociationPreview:
    """The part of an invitation that the holder of its token may see.

    `institution_id` is the institution that was invited by its ID, if any.
    """

    vendor_name: str
    product_name: str
    expires_at: datetime
    institution_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedAssociation:
    """An association as the customer's institution sees it.

    `institution_id` is the customer's. `accept_url` is for its Owners, while it is pending.
    """

    association: Association
    institution_id: UUID
    institution_name: str
    vendor_name: str
    product_name: str
    accept_url: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class AssociationAcceptance:
    """Shows and accepts invitations.

    Attempts are counted in transactions of their own, so that refused ones count as well.
    """

    platform: Platform

    async def preview(self, origin: Origin, token: str) -> AssociationPreview:
        """Fetch the invitation of a token, which stays valid.

        Raises:
            Refused: `Unauthorized` for an invalid token; `RateLimited`.
        """
        invitation = await self._find(origin, token)
        async with self.platform.database.reading() as db:
            scope = (invitation.institution_id, invitation.product_id)
            product_names = await products.product_names(db, [scope])
            vendor_names = await institution_names(db, {invitation.institution_id})
        if not product_names or not vendor_names:
            raise invalid_link()
        return AssociationPreview(
            vendor_name=vendor_names[invitation.institution_id],
            product_name=product_names[invitation.product_id],
            expires_at=invitation.expires_at,
            institution_id=invitation.invited_institution_id,
        )

    async def accept(
        self, origin: Origin, operator: Operator, token: str, institution_id: UUID | None
    ) -> ReceivedAssociation:
        """Associate an institution of the operator with the product that it is invited to.

        By default the institution that was invited, else the oldest one that the operator owns.

        Raises:
            Refused: `NotFound` for an institution that the operator does not see, `Forbidden` if
                they are not its Owner and if another institution was invited, `InvalidRequest` for
                the vendor's own, `Unauthorized` for an invalid token, `Conflict` if it is
                associated already; `RateLimited`.
        """
        owned = operator.authorized(institution_id)
        found = await self._find(origin, token)
        customer_id = _chosen(found, owned, is_given=institution_id is not None)
        async with self.platform.unit_of_work(origin) as work:
            invitation, product = await _lock(work, token)
            names = await institution_names(work.db, {product.institution_id, customer_id})
            if customer_id not in names:
                raise not_found("institution")
            accepted = replace(
                invitation, customer_institution_id=customer_id, accepted_at=work.now
            )
            await storage.accept_association(work.db, accepted)
            parties = Parties(
                customer_id=customer_id,
                customer_name=names[customer_id],
                vendor_name=names[product.institution_id],
                product_name=product.name,
            )
            changes = differences(invitation.facts(), accepted.facts())
            await record_acceptance(work, accepted, parties, changes=changes)
        return ReceivedAssociation(
            association=accepted,
            institution_id=customer_id,
            institution_name=parties.customer_name,
            vendor_name=parties.vendor_name,
            product_name=parties.product_name,
        )

    async def list_received(
        self, db: Connection, operator: Operator, institution_id: UUID | None, paging: Paging
    ) -> Listing[ReceivedAssociation]:
        """List those that the operator's institutions, or one of them, accepted or can accept."""
        now, mine = self.platform.clock(), operator.receiving
        if institution_id is not None:
            operator.visibility_of(institution_id)
            mine = tuple(item for item in mine if item == institution_id)
        found = await storage.list_received(db, mine, paging, now)
        ids = {item.institution_id for item in found.items}
        names = await institution_names(db, {*ids, *(_customer_of(item) for item in found.items)})
        scopes = {(item.institution_id, item.product_id) for item in found.items}
        product_names = await products.product_names(db, list(scopes))
        return found.of(
            lambda item: ReceivedAssociation(
                association=item,
                institution_id=_customer_of(item),
                institution_name=names[_customer_of(item)],
                vendor_name=names[item.institution_id],
                product_name=product_names[item.product_id],
                accept_url=self._url_for(operator, item, now),
            )
        )

    def _url_for(self, operator: Operator, item: Association, now: datetime) -> str | None:
        is_owner = operator.roles.get(_customer_of(item)) is Role.OWNER
        if not is_owner or not item.is_pending(now):
            return None
        return invite_url(self.platform.keyring, self.platform.settings.address, item)

    async def _find(self, origin: Origin, token: str) -> Association:
        async with limit_failures(self.platform, *limits_of_emailed_token(origin)):
            institution_id = institution_of_invitation(token)
            if institution_id is None:
                raise invalid_link()
            async with self.platform.database.reading() as db:
                found = await storage.fetch_by_token(
                    db, institution_id, digest(token), self.platform.clock()
                )
            if found is None:
                raise invalid_link()
        return found


def _customer_of(item: Association) -> UUID:
    customer = item.customer_institution_id or item.invited_institution_id
    if customer is None:
        raise ValueError("the association names no institution")
    return customer


def _chosen(invitation: Association, owned: Collection[UUID], *, is_given: bool) -> UUID:
    """Return the accepting institution of those that the operator owns, oldest membership first."""
    invited = invitation.invited_institution_id
    if invited is not None:
        if invited not in owned:
            raise errors.invited_another_institution()
        return invited
    others = [item for item in owned if item != invitation.institution_id]
    if not others:
        what = "must be" if is_given else "is required and must be"
        raise bad_field("institutionId", f"{what} an institution other than the vendor's.")
    return others[0]


async def _lock(work: UnitOfWork, token: str) -> tuple[Association, Product]:
    """Fetch the invitation and lock its product; of concurrent callers exactly one gets it."""
    institution_id = institution_of_invitation(token)
    if institution_id is None:
        raise invalid_link()
    found = await storage.fetch_by_token(work.db, institution_id, digest(token), work.now)
    if found is None:
        raise invalid_link()
    vendor = Visibility((institution_id,))
    product = await products.lock_product(work.db, vendor, found.product_id)
    again = await storage.fetch_by_token(work.db, institution_id, digest(token), work.now)
    if product is None or again is None:
        raise invalid_link()
    return again, product
