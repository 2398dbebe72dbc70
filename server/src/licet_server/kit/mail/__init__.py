"""Mail: written in the transaction of the change that it tells of, sent by a background job.

Nothing is sent from inside a request. A email that was committed is sent at least once, however
often the process is killed; emails hold tokens, so they are sealed, and emptied once sent.
"""

from licet_server.kit.mail.delivery import deliver
from licet_server.kit.mail.emails import Email
from licet_server.kit.mail.outbox import Mail, MailStatus, list_mails, list_waiting, write

__all__ = ["Email", "Mail", "MailStatus", "deliver", "list_mails", "list_waiting", "write"]
