"""The forms in which a private key could be written, to look for in what the service says."""

import re
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from uuid import UUID

import httpx
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_der_private_key
from sqlalchemy import select
from walls.tenant import Tenant

from licet_server.catalog.tables import compact_keys, next_rsa_keys, rsa_keys
from licet_server.kit.platform import Platform

PEM_LINE = 64
_TOKEN = re.compile(rb"eyJ[\w-]+(?:\.[\w-]+)+")


async def private_marks(platform: Platform, tenant: Tenant) -> set[bytes]:
    """Return what shows a private key of the tenant's products, old, live or next, in any form."""
    institution_id = UUID(tenant.owner.institution_id)
    rows = []
    async with platform.database.reading() as db:
        for table in (rsa_keys, next_rsa_keys, compact_keys):
            mine = select(table).where(table.c.institution_id == institution_id)
            rows += [(table.name, row) for row in await db.execute(mine)]
    marks = {b"PRIVATE KEY-----"}
    for table_name, row in rows:
        der = platform.keyring.open(row.private_key, f"{table_name}.private_key:{row.id}")
        marks |= {der, row.private_key, b64encode(der)[PEM_LINE : 2 * PEM_LINE]}
        key = load_der_private_key(der, None, unsafe_skip_rsa_key_validation=True)
        if isinstance(key, EllipticCurvePrivateKey):
            marks.update(_forms(key.private_numbers().private_value))
            continue
        assert isinstance(key, RSAPrivateKey)
        secret = key.private_numbers()
        numbers = (secret.d, secret.p, secret.q, secret.dmp1, secret.dmq1, secret.iqmp)
        marks |= {form for number in numbers for form in _forms(number)}
    return marks


def _forms(number: int) -> tuple[bytes, ...]:
    """Return a number as a JWK has it, in base64, hexadecimal and decimal."""
    octets = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return (
        urlsafe_b64encode(octets).rstrip(b"="),
        b64encode(octets).rstrip(b"="),
        octets.hex().encode(),
        str(number).encode(),
    )


def everything_in(answer: httpx.Response) -> bytes:
    """Return headers and body, and what the parts of tokens in the body say."""
    headers = [b": ".join(header) for header in answer.headers.raw]
    parts = [part for token in _TOKEN.findall(answer.content) for part in token.split(b".")]
    decoded = [urlsafe_b64decode(part + b"=" * (-len(part) % 4)) for part in parts]
    return b"\n".join([*headers, answer.content, *decoded])
