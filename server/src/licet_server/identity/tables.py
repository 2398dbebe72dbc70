"""Tables of users, their credentials, and their sessions."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    Table,
    func,
    text,
)

from licet_server.kit.database import (
    GLOBAL,
    REFERENCE,
    SEALED,
    Bytes,
    Id,
    Instant,
    String,
    metadata,
)
from licet_server.kit.folded_columns import folded_index
from licet_server.kit.stored_json import JsonOf

users = Table(
    "users",
    metadata,
    Column("id", Id, primary_key=True),
    Column("email", String, nullable=False),
    Column("email_verified_at", Instant),
    Column("full_name", String, nullable=False),
    Column("password_hash", String),
    Column("is_system_admin", Boolean, nullable=False, server_default=text("false")),
    Column("created_at", Instant, nullable=False),
    Column("totp_secret", Bytes, info=SEALED),
    Column("totp_confirmed_at", Instant),
    Column("totp_last_step", BigInteger),
    Column("has_passkey", Boolean, nullable=False, server_default=text("false")),
    Column("disabled_at", Instant),
    CheckConstraint("totp_confirmed_at IS NULL OR totp_secret IS NOT NULL", name="totp"),
    info=REFERENCE,
)
"""`password_hash` is null for users whom only an identity provider has signed in."""

Index("users_email_key", func.lower(users.c.email), unique=True)
Index(
    "users_email_start_idx",
    func.lower(users.c.email).label("email"),
    postgresql_ops={"email": "text_pattern_ops"},
)
Index(
    "users_full_name_start_idx",
    func.lower(users.c.full_name).label("full_name"),
    postgresql_ops={"full_name": "text_pattern_ops"},
)
folded_index("users_folded_name_idx", users.c.full_name)

totp_uses = Table(
    "totp_uses",
    metadata,
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("last_step", BigInteger, nullable=False),
    info=GLOBAL,
)
"""The steps up to this one are used up, and those up to `users.totp_last_step`, with which the app
was confirmed. A change of `users` needs every node of a spread database, and signing in none."""

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant, nullable=False, index=True),
    Column("expires_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("ip_address", String),
    Column("user_agent", String),
    Column("authenticated_at", Instant, nullable=False),
    Column("methods", JsonOf(list[str]), nullable=False, server_default=text("'[]'")),
    Column("has_used_factor", Boolean, nullable=False, server_default=text("false")),
    Column("through_institution_id", Id),
    info=GLOBAL,
)
"""`authenticated_at` and `methods` say when and how the user last proved who they are.

`through_institution_id` is the institution whose identity provider signed the user in. The
institutions are above this feature, so it is no foreign key; a deleted one has nothing left to
access.
"""

refresh_tokens = Table(
    "refresh_tokens",
    metadata,
    Column("token_hash", Bytes, primary_key=True),
    Column("sign_in_id", ForeignKey("sign_ins.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("issued_at", Instant, nullable=False),
    Column("rotated_at", Instant),
    Column("successor_salt", Bytes),
    Index(
        "refresh_tokens_rotated_at_idx",
        "rotated_at",
        postgresql_where=text("rotated_at IS NOT NULL"),
    ),
    info=GLOBAL,
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("credential_id", Bytes, nullable=False, unique=True),
    Column("public_key", Bytes, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("transports", JsonOf(list[str]), nullable=False),
    Column("backed_up", Boolean, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant),
    info=GLOBAL,
)
"""Public keys of authenticators. `users.has_passkey` says whether a user has one."""

passkey_challenges = Table(
    "passkey_challenges",
    metadata,
    Column("challenge_hash", Bytes, primary_key=True),
    Column("purpose", String, nullable=False),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), index=True),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
    CheckConstraint("purpose IN ('Register', 'SignIn', 'SecondFactor', 'StepUp')", name="purpose"),
    CheckConstraint("(user_id IS NULL) = (purpose = 'SignIn')", name="user"),
    info=GLOBAL,
)
"""Each is for one assertion; the user is unknown only before a sign-in by passkey alone."""

setup_tokens = Table(
    "setup_tokens",
    metadata,
    Column("token_hash", Bytes, primary_key=True),
    Column("created_at", Instant, nullable=False),
    info=GLOBAL,
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("code_hash", Bytes, nullable=False),
    PrimaryKeyConstraint("user_id", "code_hash"),
    info=GLOBAL,
)

mailed_tokens = Table(
    "mailed_tokens",
    metadata,
    Column("token_hash", Bytes, primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("purpose", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
    CheckConstraint("purpose IN ('PasswordReset', 'EmailVerification')", name="purpose"),
    info=GLOBAL,
)

password_reset_requests = Table(
    "password_reset_requests",
    metadata,
    Column("id", Id, primary_key=True),
    Column("email", String, nullable=False),
    Column("requested_at", Instant, nullable=False),
    info=GLOBAL,
)

portal_requests = Table(
    "portal_requests",
    metadata,
    Column("id", Id, primary_key=True),
    Column("email", String, nullable=False),
    Column("requested_at", Instant, nullable=False),
    info=GLOBAL,
)

portal_invitations = Table(
    "portal_invitations",
    metadata,
    Column("token_hash", Bytes, primary_key=True),
    Column("email", String, nullable=False, index=True),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
    info=GLOBAL,
)
"""Emailed to addresses without an account that licenses are issued to, to create one."""
