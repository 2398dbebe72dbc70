"""Email: queued in the transaction of the change that it reports, sent by a background job.

Nothing is sent during a request. A committed email is sent at least once, even if processes are
killed. Emails contain tokens, so their text is sealed, and deleted once sent.
"""

from licet_server.kit.mail.delivery import Outcome, deliver
from licet_server.kit.mail.emails import (
    NEUTRAL,
    PLAIN,
    Action,
    Attachment,
    Email,
    Letter,
    Logo,
    Look,
    as_data,
    as_html,
    as_page,
    as_text,
    letter_of,
    with_logo,
)
from licet_server.kit.mail.outbox import (
    Mail,
    MailStatus,
    StoredMail,
    delete_of_vendor,
    delete_to,
    delete_written,
    erase_subject,
    find_failed,
    list_mails,
    list_waiting,
    measure_waiting,
    write,
)

__all__ = [
    "NEUTRAL",
    "PLAIN",
    "Action",
    "Attachment",
    "Email",
    "Letter",
    "Logo",
    "Look",
    "Mail",
    "MailStatus",
    "Outcome",
    "StoredMail",
    "as_data",
    "as_html",
    "as_page",
    "as_text",
    "delete_of_vendor",
    "delete_to",
    "delete_written",
    "deliver",
    "erase_subject",
    "find_failed",
    "letter_of",
    "list_mails",
    "list_waiting",
    "measure_waiting",
    "with_logo",
    "write",
]
