"""Mail: written in the transaction of the change that it tells of, sent by a background job.

Nothing is sent from inside a request. A letter that was committed is sent at least once, however
often the process is killed; letters hold tokens, so they are sealed, and emptied once sent.
"""

from licet_server.kit.mail.delivery import deliver
from licet_server.kit.mail.letters import Letter
from licet_server.kit.mail.outbox import Mail, MailStatus, list_mails, list_waiting, write

__all__ = ["Letter", "Mail", "MailStatus", "deliver", "list_mails", "list_waiting", "write"]
