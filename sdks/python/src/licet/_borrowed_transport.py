"""Session access to a transport that the application owns."""

from __future__ import annotations

from licet._transport import Transport, TransportReply, TransportRequest


class BorrowedTransport:
    """Wraps a transport that its owner closes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def send(self, request: TransportRequest) -> TransportReply:
        return self._transport.send(request)

    def close(self) -> None:
        return
