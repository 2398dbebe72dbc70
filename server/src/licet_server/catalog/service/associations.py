"""Associations on the vendor's side: invited, listed, resent, removed.

The other institution accepts on its own, see `accepting`. An invitation by ID reveals nothing about
the institution, not even whether it exists.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from msgspec import structs

from licet_server.catalog import errors
from licet_server.catalog.rules.model import (
    ASSOCIATIONS_MAX,
    Association,
    Product,
    require_associable,
)
from licet_server.catalog.service.hooks import CustomerLicenseCounter
from licet_server.catalog.service.lookup import fetch_product, lock_product
from licet_server.catalog.storage import associations as storage
from licet_server.catalog.storage.associations import ASSOCIATIONS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences
from licet_server.events.service.recording import record_event
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import User
from licet_server.identity.service.throttling import AttemptLimit, count_attempt
from licet_server.identity.service.tokens import digest
from licet_server.identity.service.users import fetch_user
from licet_server.institutions.rules.members import (
    INVITATION_LIFE,
    TOKEN_RANDOM_BYTES,
    invitation_token,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import institution_names, require_known
from licet_server.institutions.service.operators import find_recipients
from licet_server.kit import limits, mail
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field, not_found
from licet_server.kit.keyring import Keyring
from licet_server.kit.mail import Email
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.text import quoted, unlinked
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """The two sides of an association, and what it is about."""

    customer_id: UUID
    customer_name: str
    vendor_name: str
    product_name: str


async def record_for_vendor(
    work: UnitOfWork,
    kind: EventKind,
    item: Association,
    *,
    changes: Mapping[str, object],
    name: str | None = None,
) -> None:
    """Record what an operator of the vendor did; `name` is that of the other institution."""
    named = name or item.email or str(item.customer_institution_id or item.invited_institution_id)
    await record_event(
        work,
        kind,
        institution_id=item.institution_id,
        subject_id=item.id,
        product_id=item.product_id,
        data={**item.facts(), "name": named, "institutionName": name},
        changes=changes,
    )


async def record_acceptance(
    work: UnitOfWork, item: Association, parties: Parties, *, changes: Mapping[str, object]
) -> None:
    """Record an acceptance in both institutions; the vendor learns which institution accepted."""
    kind = EventKind.ASSOCIATION_ACCEPTED
    anonymous = _acting_as(work, parties.customer_name)
    await record_for_vendor(anonymous, kind, item, name=parties.customer_name, changes=changes)
    await record_for_customer(work, kind, item, parties, by_vendor=False)


async def record_for_customer(
    work: UnitOfWork, kind: EventKind, item: Association, parties: Parties, *, by_vendor: bool
) -> None:
    """Record what the vendor, or an Owner of the customer's institution, did."""
    await record_event(
        _acting_as(work, parties.vendor_name) if by_vendor else work,
        kind,
        institution_id=parties.customer_id,
        subject_id=item.id,
        data={
            "id": item.id,
            "name": parties.product_name,
            "productName": parties.product_name,
            "vendorName": parties.vendor_name,
            "status": item.status,
        },
    )


def _acting_as(work: UnitOfWork, institution_name: str) -> UnitOfWork:
    """Return the unit of work with an institution as its actor."""
    origin = structs.replace(
        work.origin, actor_id=None, actor_name=institution_name, ip_address=None
    )
    return replace(work, origin=origin)


def association_email(
    email: str, url: str, *, inviter: User, institution_name: str, product_name: str
) -> Email:
    """Write the email with the link of an invitation; the names in it are not to be trusted."""
    who, where = quoted(unlinked(inviter.full_name)), quoted(unlinked(institution_name))
    return Email(
        email,
        "An invitation to receive licenses",
        (
            (
                f"{who} ({inviter.email}) of {where} invites your institution to receive licenses "
                f"of {quoted(unlinked(product_name))}."
            ),
            "An Owner of your institution can open this link within seven days to accept:",
            url,
            (
                f"From then on, your institution sees the licenses that {where} issues to it, and "
                f"manages their devices. {where} sees nothing of your institution but its name."
            ),
            "If you did not expect this, you can ignore this email.",
        ),
    )


INVITATIONS_PER_HOUR = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitee:
    """The invited party: the holder of a normalized email address, or an institution."""

    email: str | None = None
    institution_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAssociation:
    """An association as the vendor sees it.

    `institution_name` is `None` for an invited institution that the operator does not see;
    `invite_url` is for those who may invite, while the invitation is pending.
    """

    association: Association
    institution_name: str | None
    invite_url: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Associations:
    """Lists the associations of products, invites and removes institutions.

    Invitations are counted in transactions of their own, so that refused ones count too.
    """

    platform: Platform
    count_licenses: CustomerLicenseCounter

    async def list_associations(
        self, db: Connection, operator: Operator, product_id: UUID, paging: Paging
    ) -> Listing[ShownAssociation]:
        """List the associations of a product, including invitations that have expired."""
        product = await fetch_product(db, operator, product_id)
        found = await ASSOCIATIONS.page(db, product.scope, paging)
        return found.with_items(await self._show(db, operator, found.items))

    async def invite(
        self, origin: Origin, operator: Operator, product_id: UUID, invitee: Invitee
    ) -> ShownAssociation:
        """Invite an institution, by email and by a link; replaces an expired invitation.

        Raises:
            Refused: `NotFound`, `Forbidden` also if neither the operator nor an Owner has a
                verified address, `InvalidRequest` for the product's own institution, `RateLimited`,
                `Conflict` for an Opened product, an associated institution, and while an
                invitation is pending.
        """
        async with self.platform.database.reading() as db:
            product = await fetch_product(db, operator, product_id)
        await self.count_invitation(operator, product.institution_id)
        async with self.platform.unit_of_work(origin) as work:
            product = await lock_product(work.db, operator, product_id)
            invited = await invite(work, operator, product, invitee)
            [shown] = await self._show(work.db, operator, [invited])
        return shown

    async def resend(
        self, origin: Origin, operator: Operator, product_id: UUID, association_id: UUID
    ) -> ShownAssociation:
        """Email a pending or expired invitation again, with a new token and a new term.

        Raises:
            Refused: `NotFound`, `Forbidden`, `RateLimited`, `Conflict` for an accepted one.
        """
        async with self.platform.database.reading() as db:
            product = await fetch_product(db, operator, product_id)
        await self.count_invitation(operator, product.institution_id)
        async with self.platform.unit_of_work(origin) as work:
            product = await lock_product(work.db, operator, product_id)
            current = await _lock(work, product, association_id)
            if current.accepted_at is not None:
                raise errors.association_accepted()
            token = _new_token(product)
            renewed = _with_link(
                work, replace(current, expires_at=work.now + INVITATION_LIFE), token
            )
            await ASSOCIATIONS.save(work.db, renewed, **_stored_token(renewed, token))
            changes = differences(current.facts(), renewed.facts())
            await record_for_vendor(work, EventKind.ASSOCIATION_RESENT, renewed, changes=changes)
            await _mail(work, operator, product, renewed, token)
            [shown] = await self._show(work.db, operator, [renewed])
        return shown

    async def remove(
        self, work: UnitOfWork, operator: Operator, product_id: UUID, association_id: UUID
    ) -> None:
        """Withdraw an invitation, or end an association that has no live license.

        Licenses are issued under a lock of the association, so that none is issued meanwhile. The
        product is not locked, since issuing locks it first.

        Raises:
            Refused: `NotFound`, `Forbidden`, `Conflict` with the number of licenses that are
                neither revoked nor expired.
        """
        product = await fetch_product(work.db, operator, product_id)
        current = await _lock(work, product, association_id)
        customer = current.customer_institution_id
        if customer is not None:
            count = await self.count_licenses(
                work,
                institution_id=product.institution_id,
                product_id=product.id,
                customer_institution_id=customer,
            )
            if count:
                raise errors.association_in_use(count)
        await ASSOCIATIONS.delete(work.db, current)
        kind, changes = EventKind.ASSOCIATION_REMOVED, differences(current.facts(), {})
        parties = None if customer is None else await _parties(work, product, customer)
        if parties is None:
            await record_for_vendor(work, kind, current, changes=changes)
            return
        name = parties.customer_name
        await record_for_vendor(work, kind, current, changes=changes, name=name)
        await record_for_customer(work, kind, current, parties, by_vendor=True)

    async def count_invitation(self, operator: Operator, institution_id: UUID) -> None:
        """Check that the operator may send email on behalf of the institution, and count it.

        Raises:
            Refused: `Forbidden`, `RateLimited`.
        """
        async with self.platform.database.reading() as db:
            await require_known(db, operator, institution_id)
        name = f"associate:institution:{institution_id}"
        await count_attempt(self.platform, AttemptLimit(name, INVITATIONS_PER_HOUR, limits.HOUR))

    async def _show(
        self, db: Connection, operator: Operator, found: Sequence[Association]
    ) -> list[ShownAssociation]:
        ids = {item.customer_institution_id for item in found}
        ids |= {item.invited_institution_id for item in found} & operator.roles.keys()
        names = await institution_names(db, {item for item in ids if item is not None})
        return [
            ShownAssociation(
                association=item,
                institution_name=names.get(
                    item.customer_institution_id or item.invited_institution_id or item.id
                ),
                invite_url=self._url_for(operator, item),
            )
            for item in found
        ]

    def _url_for(self, operator: Operator, item: Association) -> str | None:
        role = operator.roles.get(item.institution_id)
        if (
            role is None
            or not role.covers(Role.ADMIN)
            or not item.is_pending(self.platform.clock())
        ):
            return None
        return invite_url(self.platform.keyring, self.platform.settings.address, item)


async def invite(
    work: UnitOfWork, operator: Operator, product: Product, invitee: Invitee
) -> Association:
    """Invite an institution to a product that is locked, by email.

    Raises:
        Refused: as `Associations.invite`.
    """
    require_associable(product.access_type)
    invited_id = invitee.institution_id
    if invited_id == product.institution_id:
        raise bad_field("institutionId", "must not be the institution of the product.")
    scope = product.scope
    if invited_id is not None and await storage.is_associated(work.db, scope, invited_id):
        raise errors.already_associated()
    before = await storage.fetch_open(
        work.db, scope, email=invitee.email, invited_institution_id=invited_id
    )
    if before is not None:
        if before.is_pending(work.now):
            raise errors.already_invited()
        await ASSOCIATIONS.delete(work.db, before)
    if await storage.count_associations(work.db, scope) >= ASSOCIATIONS_MAX:
        raise errors.too_many_associations(ASSOCIATIONS_MAX)
    token = _new_token(product)
    invited = _with_link(
        work,
        Association(
            institution_id=product.institution_id,
            id=work.new_id(),
            product_id=product.id,
            email=invitee.email,
            invited_institution_id=invited_id,
            customer_institution_id=None,
            created_at=work.now,
            expires_at=work.now + INVITATION_LIFE,
        ),
        token,
    )
    await ASSOCIATIONS.insert(work.db, invited, **_stored_token(invited, token))
    changes = differences({}, invited.facts())
    await record_for_vendor(work, EventKind.ASSOCIATION_INVITED, invited, changes=changes)
    if invited_id is not None:
        parties = await _parties(work, product, invited_id)
        if parties is not None:
            kind = EventKind.ASSOCIATION_INVITED
            await record_for_customer(work, kind, invited, parties, by_vendor=True)
    await _mail(work, operator, product, invited, token)
    return invited


def invite_url(keyring: Keyring, address: str, item: Association) -> str | None:
    """Return the link of an open invitation."""
    sealed = item.sealed_link
    token = None if sealed is None else keyring.reveal(sealed, _seal_context(item))
    return None if token is None else _url(address, token)


async def _parties(work: UnitOfWork, product: Product, customer_id: UUID) -> Parties | None:
    """Return the names of both sides; `None` if the other institution does not exist."""
    names = await institution_names(work.db, {product.institution_id, customer_id})
    if customer_id not in names:
        return None
    return Parties(
        customer_id=customer_id,
        customer_name=names[customer_id],
        vendor_name=names[product.institution_id],
        product_name=product.name,
    )


async def _lock(work: UnitOfWork, product: Product, association_id: UUID) -> Association:
    """Lock an association `FOR UPDATE`: no license is issued under it meanwhile."""
    found = await ASSOCIATIONS.lock_for_deletion(work.db, product.scope, association_id)
    if found is None:
        raise not_found("association")
    return found


def _new_token(product: Product) -> str:
    return invitation_token(product.institution_id, secrets.token_bytes(TOKEN_RANDOM_BYTES))


def _with_link(work: UnitOfWork, item: Association, token: str) -> Association:
    return replace(item, sealed_link=work.keyring.seal(token.encode(), _seal_context(item)))


def _stored_token(item: Association, token: str) -> dict[str, object]:
    return {"token_hash": digest(token), "link_token": item.sealed_link}


def _seal_context(item: Association) -> str:
    return f"associations.link_token:{item.id}"


def _url(address: str, token: str) -> str:
    return f"{address}/accept-association?token={token}"


async def _mail(
    work: UnitOfWork, operator: Operator, product: Product, item: Association, token: str
) -> None:
    """Email the address, or the Owners of the institution whose addresses are verified."""
    inviter = await fetch_user(work.db, operator.user_id)
    names = await institution_names(work.db, {item.institution_id})
    if inviter is None or item.institution_id not in names:
        raise operator.unseen("product")
    emails = [item.email] if item.email is not None else []
    if item.invited_institution_id is not None:
        owners = await find_recipients(work.db, [item.invited_institution_id], [Role.OWNER])
        emails = [owner.email for owner in owners if owner.email_verified]
    for email in emails:
        await mail.write(
            work,
            association_email(
                email,
                _url(work.address, token),
                inviter=inviter,
                institution_name=names[item.institution_id],
                product_name=product.name,
            ),
        )
