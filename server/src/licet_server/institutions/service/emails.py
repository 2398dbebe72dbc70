"""The e-mails that institutions send."""

from licet_server.identity.rules.users import User
from licet_server.kit.mail import Email
from licet_server.kit.text import quoted, unlinked


def invitation_email(
    email: str, address: str, token: str, *, inviter: User, institution_name: str
) -> Email:
    """Write the e-mail with a token that accepts an invitation; its names are untrusted."""
    who, where = quoted(unlinked(inviter.full_name)), quoted(unlinked(institution_name))
    return Email(
        email,
        "You are invited to Licet",
        (
            f"{who} ({inviter.email}) invites you to join the institution {where}.",
            "Open this link within seven days to accept. It works once:",
            f"{address}/accept-invitation?token={token}",
            f"If the page asks for a code, enter this one: {token}",
            "If you did not expect this, you can ignore this e-mail: you join only if you accept.",
            "Do not forward the link: anyone who opens it could join in your name.",
        ),
    )
