"""The outbox: one row per e-mail, kept for 30 days.

`vendor_id` is the institution in whose name an e-mail is sent; those of the service have none.
"""

from sqlalchemy import CheckConstraint, Column, Index, Integer, Table, text

from licet_server.kit.database import GLOBAL, SEALED, Bytes, Id, Instant, String, metadata

mails = Table(
    "mails",
    metadata,
    Column("id", Id, primary_key=True),
    Column("vendor_id", Id),
    Column("recipient", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("paragraphs", Bytes, info=SEALED),
    Column("status", String, nullable=False),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("created_at", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("sent_at", Instant),
    CheckConstraint("status IN ('Waiting', 'Sent', 'Failed')", name="status"),
    Index("mails_due_idx", "due_at", postgresql_where=text("status = 'Waiting'")),
    Index("mails_created_at_idx", "created_at"),
    info=GLOBAL,
)
