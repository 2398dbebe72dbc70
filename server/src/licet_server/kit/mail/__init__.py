"""E-mail: queued in the transaction of the change that it reports, sent by a background job.

Nothing is sent during a request. A committed e-mail is sent at least once, even if processes are
killed. E-mails contain tokens, so their text is sealed, and deleted once sent.
"""

from licet_server.kit.mail.delivery import Outcome, deliver
from licet_server.kit.mail.emails import Email, Letter, as_page
from licet_server.kit.mail.outbox import (
    FailedMail,
    Mail,
    MailStatus,
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
    "Email",
    "FailedMail",
    "Letter",
    "Mail",
    "MailStatus",
    "Outcome",
    "as_page",
    "delete_of_vendor",
    "delete_to",
    "delete_written",
    "deliver",
    "erase_subject",
    "find_failed",
    "list_mails",
    "list_waiting",
    "measure_waiting",
    "write",
]
