"""Names that strangers choose carry no address into emails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from identity.people import emails_to
from institutions.members import fresh, invite
from testkit import Owner

from licet_server.kit.platform import Platform
from licet_server.kit.text import unlinked


async def test_the_inviter_s_name_carries_no_address_into_the_mail(
    owner: Owner, platform: Platform
) -> None:
    name = "Your account is locked, see https://evil.example/login or evil.example or a@evil.org"
    await owner.ok("PUT", "/api/auth/me", {"fullName": name})
    path = f"/api/institutions/{owner.institution_id}"
    await owner.ok("PUT", path, {"name": "www.evil.example"})
    email = fresh()
    await invite(owner, email, "Viewer")
    [mail] = await emails_to(platform, email)
    text = (mail.text or "").replace(f"({owner.email})", "")
    assert "evil" in text
    for address in ("://evil", "evil.example", "evil.org", "a@", "www.evil"):
        assert address not in text, address


@pytest.mark.parametrize(
    "name",
    ["Ada Lovelace", "Acme Inc.", "Dr. Ada", "Aurora 2.0", "Ümläut & Söhne", "O'Neill", "日本語"],
)
def test_ordinary_names_are_unchanged(name: str) -> None:
    assert unlinked(name) == name


@given(st.text(max_size=200))
def test_addresses_in_names_are_not_links(name: str) -> None:
    assert "://" not in unlinked(name)
    assert not any(f"{before}.com" in unlinked(f"{name}{before}.com") for before in "ae0-")
