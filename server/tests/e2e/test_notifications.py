"""Notifications of the real service: over several processes, by mail, and past its end."""

import json
import threading
from typing import Any

import httpx
from e2e.process import ADMIN, EMAIL, NewService
from e2e.vendor import make_vendor
from kit.mail.smtp import SENDER, Mailbox, running_server
from patience import PATIENCE_S, eventually

STREAMS = 5
NAME = "<script>alert(1)</script>"


class Follower:
    """Follows the notifications in a thread."""

    def __init__(self, client: httpx.Client) -> None:
        self.unread: list[Any] = []
        self.told: list[Any] = []
        self.broken = False
        self._client = client
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()

    def _follow(self) -> None:
        kind = ""
        try:
            with self._client.stream(
                "GET", "/api/notifications/stream", timeout=PATIENCE_S
            ) as answer:
                for line in answer.iter_lines():
                    name, _, value = line.partition(": ")
                    if name == "event":
                        kind = value
                    elif name == "data":
                        into = self.told if kind == "notification" else self.unread
                        into.append(json.loads(value))
        except httpx.TransportError:
            self.broken = True


def test_every_process_tells_those_who_follow(new_service: NewService) -> None:
    mailbox = Mailbox()
    server = running_server(mailbox)
    service = new_service(
        **ADMIN, LICET_SMTP_URL=f"smtp://127.0.0.1:{server.port}", LICET_MAIL_FROM=SENDER
    )
    with server:
        service.start("--workers", 2)
        with service.sign_in() as owner:
            vendor = make_vendor(owner)
            bound = vendor.issue("NodeLocked", licenseName=NAME, deviceBindingMode="AutoBind")
            clients = [service.client(owner.headers["authorization"][7:]) for _ in range(STREAMS)]
            followers = [Follower(client) for client in clients]
            eventually(lambda: all(item.unread for item in followers), "all follow")
            headers = {"x-api-key": vendor.api_key}
            for machine in ("machine-number-one", "a-foreign-machine"):
                body = {"licenseKey": bound["licenseKey"], "hardwareId": machine}
                owner.post("/api/licenses/validate", json=body, headers=headers).raise_for_status()
            eventually(lambda: all(len(item.told) >= 2 for item in followers), "all were told")
            eventually(lambda: mailbox.received, "the mail is there")
            listed = owner.get("/api/notifications").raise_for_status().json()["items"]
            for follower in followers:
                assert sorted(follower.told, key=_id) == sorted(listed, key=_id)
            assert [item["kind"] for item in listed] == ["AccessAttempt", "DeviceActivated"]
            [message] = mailbox.received
            assert message["To"] == EMAIL
            assert NAME in message["Subject"]
            html = list(message.iter_parts())[1].get_content()  # type: ignore[attr-defined]
            assert "&lt;script&gt;" in html
            assert "<script" not in html
            assert service.stop() == 0, "with all streams open"
            for follower in followers:
                follower.thread.join(PATIENCE_S)
                assert not follower.broken, "the stream was ended, and not cut off"
            for client in clients:
                client.close()


def _id(item: Any) -> str:
    return str(item["id"])
