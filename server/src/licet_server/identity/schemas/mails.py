"""Wire shape of the outbox."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from licet_server.kit.mail import Mail, MailStatus
from licet_server.kit.web.views import view_of


class MailView(Struct, rename="camel"):
    """An e-mail in the outbox; `text` is null once it is sent."""

    id: UUID
    recipient: str
    subject: str
    text: str | None
    status: MailStatus
    created_at: datetime
    sent_at: datetime | None


def mail_view(mail: Mail) -> MailView:
    return view_of(MailView, mail)
