"""A real mail server on loopback that keeps what it is sent, and can be told to misbehave."""

import asyncio
import ipaddress
import socket
import ssl
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from email.policy import default
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from patience import PATIENCE_S

from licet_server.kit.settings import MailServer, Tls

SENDER = "Licet <licet@example.com>"
USERNAME, PASSWORD = "postman", "a secret of the postman"


@dataclass
class Mailbox:
    """What came in, and how the server behaves."""

    received: list[Message] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    logins: list[tuple[str, str]] = field(default_factory=list)
    hanging: bool = False
    reached: threading.Event = field(default_factory=threading.Event)

    async def handle_RCPT(  # noqa: N802 - the server's own name
        self, server: Any, session: Session, envelope: Envelope, address: str, options: Any
    ) -> str:
        if address in self.refused:
            return f"550 no mailbox {address} here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: Any, session: Session, envelope: Envelope
    ) -> str:
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=default)
        message["X-To"] = ",".join(envelope.rcpt_tos)
        self.reached.set()
        if self.hanging:
            await asyncio.sleep(30)
        self.received.append(message)
        self.raw.append(envelope.content)
        return "250 accepted"

    def authenticate(
        self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any
    ) -> AuthResult:
        pair = (data.login.decode(), data.password.decode())
        self.logins.append(pair)
        return AuthResult(success=pair == (USERNAME, PASSWORD))


class running_server:  # noqa: N801 - reads as a sentence
    """The server, from entering to leaving."""

    def __init__(
        self,
        mailbox: Mailbox,
        *,
        tls: ssl.SSLContext | None = None,
        login: bool = False,
        utf8: bool = True,
    ) -> None:
        more: dict[str, Any] = {"enable_SMTPUTF8": utf8}
        if login:
            more |= {
                "authenticator": mailbox.authenticate,
                "auth_required": True,
                "auth_require_tls": tls is not None,
            }
        self.port = _free_port()
        self._controller = Controller(
            mailbox,
            hostname="127.0.0.1",
            port=self.port,
            tls_context=tls,
            ready_timeout=PATIENCE_S,
            **more,
        )

    def __enter__(self) -> int:
        self._controller.start()
        return self.port

    def __exit__(self, *details: Any) -> None:
        self._controller.stop()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def at(port: int, tls: Tls = "where offered", password: str | None = None) -> MailServer:
    username = USERNAME if password else None
    return MailServer("127.0.0.1", port, tls, SENDER, username, password)


def certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """For a server at 127.0.0.1, and the file by which to trust it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime(2020, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now.replace(year=2099))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    trusted = folder / "certificate.pem"
    trusted.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret = folder / "key.pem"
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(trusted, secret)
    return context, trusted
