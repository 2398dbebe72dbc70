"""The words of e-mails until a vendor writes their own."""

from collections.abc import Mapping

from licet_server.delivery.rules.kinds import MailKind
from licet_server.delivery.rules.translation import Translation

BUILT_IN_LOCALE = "en"

_ISSUED = """\
Hello {customer},

here is your license for **{product}**.

- License: {licenseName}
- License key: `{licenseKey}`
- Seats: {seats}
- Valid until: {expirationDate}
- Valid for {termDays} days from the first use

## How to start

1. Install {product} and start it.
2. Enter the license key when it asks for it.

Your license, its devices and downloads are here: {portal}

Sign in there with {email}.

Questions? Write to {replyTo}.

{vendor}
"""

_RENEWED = """\
Hello {customer},

your license for **{product}** was renewed. The license key stays the same; there is nothing to do.

- License: {licenseName}
- License key: `{licenseKey}`
- Valid until: {expirationDate}

Your license is here: {portal}

Questions? Write to {replyTo}.

{vendor}
"""

_EXPIRING = """\
Hello {customer},

your license for **{product}** ends soon.

- License: {licenseName}
- License key: `{licenseKey}`
- Valid until: {expirationDate}
- Days left: {daysLeft}
- It still works until: {graceUntil}

Your license is here: {portal}

To renew it, write to {replyTo}.

{vendor}
"""

_REVOKED = """\
Hello {customer},

your license for **{product}** was revoked and no longer works.

- License: {licenseName}
- License key: `{licenseKey}`

If you did not expect this, write to {replyTo}.

{vendor}
"""

BUILT_IN: Mapping[MailKind, Mapping[str, Translation]] = {
    MailKind.ISSUED: {BUILT_IN_LOCALE: Translation("Your license for {product}", _ISSUED)},
    MailKind.RENEWED: {
        BUILT_IN_LOCALE: Translation("Your license for {product} was renewed", _RENEWED)
    },
    MailKind.EXPIRING: {
        BUILT_IN_LOCALE: Translation("Your license for {product} ends soon", _EXPIRING)
    },
    MailKind.REVOKED: {
        BUILT_IN_LOCALE: Translation("Your license for {product} was revoked", _REVOKED)
    },
}
"""The words of each kind, by language."""
