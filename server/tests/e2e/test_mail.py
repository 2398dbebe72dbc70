"""Mail of the real service: read on the console without a mail server, and not lost by a kill."""

import re
import signal
import subprocess

from e2e.environment import environment
from e2e.process import ADMIN, EMAIL, NewService, command
from kit.mail.smtp import SENDER, Mailbox, running_server
from patience import PATIENCE_S, eventually

NEW_PASSWORD = "a password after the reset"


def token_in(text: str) -> str:
    found = re.findall(r"\?token=(\S+)", text)
    assert len(found) == 1, text
    return str(found[0])


def test_the_console_prints_what_waits(new_service: NewService) -> None:
    service = new_service(**ADMIN, LICET_SIGNUP="open")
    service.start()
    with service.client() as visitor:
        body = {
            "email": "new@example.com",
            "password": "a long enough one",
            "fullName": "New",
            "institutionName": "New",
        }
        session = visitor.post("/api/auth/register", json=body).raise_for_status().json()
        bearer = {"authorization": f"Bearer {session['accessToken']}"}
        product = {"name": "First", "initialVersion": "1.0.0"}
        refused = visitor.post("/api/products", json=product, headers=bearer)
        assert refused.status_code == 403
        printed = service.run("mails")
        assert printed.returncode == 0, printed.stderr
        assert "To: new@example.com" in printed.stdout
        token = token_in(printed.stdout)
        assert f"{service.address}/verify-email?token={token}" in printed.stdout
        visitor.post("/api/auth/verify-email", json={"token": token}).raise_for_status()
        assert visitor.post("/api/products", json=product, headers=bearer).status_code == 201
    assert token not in service.output()


def test_a_kill_loses_no_email(new_embedded_service: NewService) -> None:
    mailbox = Mailbox()
    server = running_server(mailbox)
    service = new_embedded_service(
        **ADMIN, LICET_SMTP_URL=f"smtp://127.0.0.1:{server.port}", LICET_MAIL_FROM=SENDER
    )
    service.start("--workers", 2)
    with service.client() as visitor:
        asked = visitor.post("/api/auth/password-reset", json={"email": EMAIL})
        assert asked.status_code == 202
    service.send(signal.SIGKILL)
    with server:
        service.start("--workers", 2)
        eventually(lambda: mailbox.received, "the email is there", 90)
        [message] = mailbox.received
    text = next(message.iter_parts()).get_content()  # type: ignore[attr-defined]
    with service.client() as visitor:
        body = {"token": token_in(text), "password": NEW_PASSWORD}
        visitor.post("/api/auth/password-reset/confirm", json=body).raise_for_status()
    with service.sign_in(EMAIL, NEW_PASSWORD) as owner:
        notice, mail = owner.get("/api/mails").raise_for_status().json()["items"]
        assert notice["subject"] == "Your Licet password was reset"
        assert (mail["recipient"], mail["status"], mail["text"]) == (EMAIL, "Sent", None)
    assert body["token"] not in service.output()


def test_a_worker_alone_does_what_a_service_left(new_service: NewService) -> None:
    mailbox = Mailbox()
    server = running_server(mailbox)
    mail = {"LICET_SMTP_URL": f"smtp://127.0.0.1:{server.port}", "LICET_MAIL_FROM": SENDER}
    service = new_service(**ADMIN, **mail)
    service.start()
    with service.client() as visitor:
        visitor.post("/api/auth/password-reset", json={"email": EMAIL}).raise_for_status()
    assert service.stop() == 0
    with server:
        worker = subprocess.Popen(
            command("worker", "--data-dir", service.folder),
            env=environment(**service.variables),
            stderr=subprocess.PIPE,
            text=True,
        )
        eventually(lambda: mailbox.received, "the email is there", 90)
        worker.send_signal(signal.SIGTERM)
        _, said = worker.communicate(timeout=PATIENCE_S)
    assert worker.returncode == 0, said
    assert "Background jobs have stopped" in said
