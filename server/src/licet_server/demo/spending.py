"""A machine that spends reserved credits without a network, and reports what it spent."""

import base64
import hashlib
import json
from decimal import Decimal

from licet_server.demo.client import Calendar, DeviceKey, Json
from licet_server.devices.rules.signed import encoded


def _hashed(text: str) -> str:
    return encoded(hashlib.sha256(text.encode()).digest())


def _claims_of(token: str) -> Json:
    payload = token.split(".")[1]
    return dict(json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))))


class Reservation:
    """The credits that a machine reserved, and the journal of what it spent of them."""

    def __init__(self, issued: Json, product_id: str, key: DeviceKey, calendar: Calendar) -> None:
        claims = _claims_of(issued["lease"])
        self.id: str = issued["leaseId"]
        self.product_id = product_id
        self.key = key
        self._seq: int = issued["seq"]
        self._calendar = calendar
        self._prices: dict[str, str] = claims["prices"]
        self._head = _hashed(claims["jti"])
        self._lines = 0
        self._used = Decimal(0)
        self._unreported: list[str] = []

    def spend(self, feature: str, quantity: int) -> None:
        """Charge a use in the journal, as the SDK does without a server."""
        cost = quantity * Decimal(self._prices[feature])
        self._lines += 1
        line = {
            "n": self._lines,
            "feature": feature,
            "quantity": quantity,
            "cost": f"{cost.normalize():f}",
            "at": int(self._calendar().timestamp()),
            "key": f"{self.id}-{self._lines}",
            "prev": self._head,
        }
        text = json.dumps(line, separators=(",", ":"))
        self._unreported.append(text)
        self._head = _hashed(text)
        self._used += cost

    def report(self) -> Json:
        """Return the body that reports what was spent since the last one."""
        receipt = self.key.receipt(
            {
                "aud": self.product_id,
                "lease": self.id,
                "seq": self._seq,
                "iat": int(self._calendar().timestamp()),
                "kind": "Used",
                "used": f"{self._used.normalize():f}",
                "lines": self._lines,
                "head": self._head,
            }
        )
        journal, self._unreported = self._unreported, []
        return {"receipt": receipt, "journal": journal}
