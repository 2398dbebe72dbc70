"""Invitations on a service where sign-up is closed."""

from identity.people import login
from institutions.members import accept, count_rows, invite, link_token, roles
from testkit import PASSWORD, Owner, client_of

from licet_server.app import Application
from licet_server.identity.service.users import NewAccount
from licet_server.institutions.service.institutions import create_first_owner
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords


async def test_invitations_work_with_closed_sign_up(
    fresh_application: Application, fast_passwords: Passwords
) -> None:
    """Sign-up is closed by default: an invitation creates an account, and no institution."""
    app = fresh_application
    assert not app.platform.settings.signup_open
    async with client_of(app) as client:
        async with app.platform.unit_of_work(Origin()) as work:
            account = NewAccount(
                email="owner@example.com",
                password=PASSWORD,
                full_name="Owner",
                institution_name="Acme",
            )
            await create_first_owner(work, fast_passwords, account)
        session = (await login(client, "owner@example.com")).json()
        institution_id = session["user"]["memberships"][0]["institutionId"]
        owner = Owner(client, session["accessToken"], institution_id, "", "owner@example.com")
        made = await invite(owner, "ada@example.com", "Owner")
        user = (await accept(client, link_token(made))).json()["user"]
        assert not user["isSystemAdmin"]
        assert await count_rows(app.platform, "institutions", "name", "Acme") == 1
        assert list((await roles(owner)).values()) == ["Owner", "Owner"]
