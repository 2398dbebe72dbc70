"""Names that would become headers, or a body, if a library parsed them."""

from base64 import b64encode

_FORGED = b64encode(b"x\r\nReply-To: thief@example.com\r\n\r\n<h1>Blocked</h1>").decode()

HOSTILE = [
    f"Eve =?utf-8?b?{_FORGED}?=",
    "=?utf-8?q?x=0d=0aBcc=3a_thief=40example.com?=",
    "=?us-ascii?Q?=0AX-A=3A_b?= =?utf-8?q?=0a=0abody?=",
    "=?utf-8?q?=3D=3Futf-8=3Fq=3F=0ABcc=3Ax=3F=3D?=",  # an encoded word in an encoded word
    "=?=?utf-8?q?=0aBcc:x?==?utf-8?q?=0aBcc:x?=",
    "A\r\nBcc: thief@example.com\r\n\r\nBody",
    "A\u2028Bcc: thief@example.com\0\x0b\x1c\x85Cc: x",
    "folded\r\n Bcc: thief@example.com",
    "long " + "é" * 90 + "=?utf-8?q?=0aBcc:x?=" + "x" * 80,
    'Acme", <ceo@bank.example>; (=?utf-8?q?=0aBcc:x?=) \\',
]
HALVES = ("=", "?utf-8?q?x=0d=0aBcc=3a_thief?=")
"""Harmless by themselves, and an encoded word when one follows the other."""
