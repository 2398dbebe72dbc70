"""The e-mails that the catalog sends."""

from licet_server.identity.rules.users import User
from licet_server.kit.mail import Email
from licet_server.kit.text import quoted, unlinked


def association_email(
    email: str, url: str, *, inviter: User, institution_name: str, product_name: str
) -> Email:
    """Write the e-mail with the link of an invitation; the names in it are not to be trusted."""
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
            "If you did not expect this, you can ignore this e-mail.",
        ),
    )
