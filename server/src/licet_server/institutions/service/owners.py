"""The first Owner of an instance."""

from licet_server.identity.rules.users import User
from licet_server.identity.service.sign_up import create_first_user
from licet_server.identity.service.users import NewAccount
from licet_server.institutions.rules.plans import UNLIMITED, PlanTerms
from licet_server.institutions.service.institutions import create_institution_with_owner
from licet_server.kit.passwords import Passwords
from licet_server.kit.unit_of_work import UnitOfWork


async def create_first_owner(
    work: UnitOfWork, passwords: Passwords, account: NewAccount, terms: PlanTerms = UNLIMITED
) -> User:
    """Create an institution with its Owner, who is a system Admin with a verified address.

    Raises:
        Refused: `Conflict` if the e-mail address already has an account.
    """
    user = await create_first_user(work, account, await passwords.hash(account.password))
    await create_institution_with_owner(
        work,
        owner_id=user.id,
        name=account.institution_name,
        terms=terms,
    )
    return user
