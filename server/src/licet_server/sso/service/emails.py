"""The e-mails of single sign-on."""

from licet_server.kit.mail import Email
from licet_server.kit.text import quoted


def confirm_domain_email(
    email: str, address: str, token: str, *, domain: str, institution_name: str, requested_by: str
) -> Email:
    """Write the e-mail with a token that confirms a domain; its names are untrusted."""
    return Email(
        email,
        f"Confirm the domain {domain} for single sign-on",
        (
            (
                f"{requested_by} asks that people with e-mail addresses in {domain} sign in to "
                f"Licet through the identity provider of the institution "
                f"{quoted(institution_name)}."
            ),
            (
                "The operator of that provider can then sign in as any of them. If you run this "
                "domain and agree, open this link within seven days. It works once:"
            ),
            f"{address}/confirm-domain?token={token}",
            f"If the page asks for a code, enter this one: {token}",
            "If you did not expect this, ignore this e-mail: nothing happens.",
        ),
    )
