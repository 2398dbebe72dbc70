"""Authentication of operators: signed-in users with their current roles."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from uuid import UUID

from licet_server.identity.errors import unauthorized
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import User
from licet_server.identity.service.tokens import read_access_token, read_portal_view
from licet_server.identity.service.users import find_users
from licet_server.institutions.rules.members import Recipient
from licet_server.institutions.rules.operators import Grants, Operator, grants_of
from licet_server.institutions.storage import operators as storage
from licet_server.institutions.storage.operators import SignedInOperator, SignInKey
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection, Database
from licet_server.kit.keyring import Keyring


@dataclass(frozen=True, slots=True)
class PortalViewer:
    """An operator, and the customer as whom they look at the portal.

    `receiver` has no role, and reaches no license of another institution.
    """

    operator: Operator
    receiver: Operator


class OperatorLookup:
    """Finds the operators of access tokens; requests that arrive together share one statement.

    Nothing is cached between requests, so the end of a session or of a role takes effect at once.
    """

    def __init__(
        self, database: Database, keyring: Keyring, clock: Clock, batching: Batching
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._clock = clock
        self._look_ups: Coalescing[SignInKey, SignedInOperator | None] = batching.concurrent(
            "operators", self._look_up, itemgetter(0)
        )

    async def find(self, token: str, address: str, needed: Role) -> Operator:
        """Find the operator of an access token, with their current roles.

        Raises:
            Refused: `Unauthorized` for an invalid or expired token, or when the session has ended.
        """
        key = read_access_token(self._keyring, self._clock(), token)
        return await self._find(key, address, needed)

    async def find_viewer(self, token: str, address: str) -> "PortalViewer | None":
        """Find the operator who looks at the portal by this token; `None` for any other token.

        Raises:
            Refused: `Unauthorized` for an expired token, or when the operator's session has ended;
                `Forbidden` once they may no longer look.
        """
        view = read_portal_view(self._keyring, self._clock(), token)
        if view is None:
            return None
        operator = await self._find((view.user_id, view.sign_in_id), address, Role.ADMIN)
        operator.authorize(view.institution_id)
        receiver = Operator(
            user_id=view.receiver_id,
            email=view.email,
            email_verified=True,
            is_system_admin=False,
            sign_in_id=view.sign_in_id,
            through=view.institution_id,
            grants=Grants(roles={}),
            needed=Role.VIEWER,
        )
        return PortalViewer(operator, receiver)

    async def _find(self, key: SignInKey, address: str, needed: Role) -> Operator:
        found = await self._look_ups.submit(key)
        if found is None:
            raise unauthorized()
        return _operator(found, key, address, needed)

    async def aclose(self) -> None:
        """Finish the accepted look-ups, then stop."""
        await self._look_ups.aclose()

    async def _look_up(self, keys: Sequence[SignInKey]) -> list[SignedInOperator | None]:
        async with self._database.looking_up() as db:
            found = await storage.fetch_signed_in_operators(db, keys, self._clock())
        return [found.get(key) for key in keys]


def _operator(found: SignedInOperator, key: SignInKey, address: str, needed: Role) -> Operator:
    user, session = found.user, found.session
    return Operator(
        user_id=user.id,
        email=user.email,
        email_verified=user.email_verified,
        is_system_admin=found.is_system_admin,
        sign_in_id=key[1],
        totp_enabled=user.totp_enabled,
        has_passkey=user.has_passkey,
        proof=session.proof,
        has_used_factor=session.has_used_factor,
        through=session.through,
        signs_in_alone=user.signs_in_alone,
        grants=grants_of(
            found.role_grants,
            address,
            session.trust,
            products=found.assigned.product_ids,
            releases=found.assigned.release_ids,
        ),
        needed=needed,
    )


Presence = tuple[UUID, str]
"""A sign-in, and the IP address that it is used from."""


async def list_reminder_days(db: Connection) -> Mapping[UUID, Sequence[int]]:
    """List how many days before the end of a term each institution is reminded."""
    return await storage.fetch_reminder_days(db)


async def find_recipients(
    db: Connection, institution_ids: Collection[UUID], roles: Collection[Role]
) -> list[Recipient]:
    """Find the members of these institutions with one of these roles, in one statement."""
    return await storage.fetch_recipients(db, institution_ids, roles) if institution_ids else []


async def find_verified_users(db: Connection, emails: Collection[str]) -> list[User]:
    """Find the users with these email addresses who have verified them."""
    return [user for user in await find_users(db, emails) if user.email_verified]


async def find_present(db: Connection, presences: Collection[Presence]) -> dict[Presence, Grants]:
    """Find what each sign-in can access now; sign-ins that have ended are omitted."""
    found = await storage.fetch_role_grants(db, {sign_in_id for sign_in_id, _ in presences})
    everywhere = (
        await storage.fetch_all_institutions(db)
        if any(is_admin for is_admin, *_ in found.values())
        else []
    )
    return {
        (sign_in_id, address): grants_of(
            [*found[sign_in_id][2], *(everywhere if found[sign_in_id][0] else ())],
            address,
            found[sign_in_id][1],
        )
        for sign_in_id, address in presences
        if sign_in_id in found
    }
