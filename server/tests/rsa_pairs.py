"""RSA key pairs for tests, from a file: to generate one takes 0.1 to 0.3 s of a core.

The file has two primes for each pair, which are all that a pair is made of. Everybody can read
them, so they are in no package, and nothing but tests may sign with them.

    python server/tests/rsa_pairs.py    generates the file again
"""

from base64 import b64decode, b64encode
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa

FILE = Path(__file__).with_name("TEST-ONLY-rsa-primes.txt")
SIZES = (2048, 3072, 4096)
PER_SIZE = 24
_EXPONENT = 65_537
_HEADER = """\
# TEST-ONLY RSA keys. They are public: never sign with them outside of tests.
# Each line has the size of a key in bits and its two primes, big-endian in Base64.
"""


@cache
def pair(size: int, number: int) -> rsa.RSAPrivateKey:
    """Return a pair of the file; those of one size are numbered from 0 to `PER_SIZE` - 1."""
    p, q = primes()[size][number]
    d = rsa.rsa_recover_private_exponent(_EXPONENT, p, q)
    public = rsa.RSAPublicNumbers(_EXPONENT, p * q)
    numbers = rsa.RSAPrivateNumbers(
        p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q), public
    )
    return numbers.private_key(unsafe_skip_rsa_key_validation=True)


@cache
def primes() -> dict[int, list[tuple[int, int]]]:
    """Return the two primes of each pair, by its size."""
    found: dict[int, list[tuple[int, int]]] = {size: [] for size in SIZES}
    for line in FILE.read_text().splitlines():
        if not line.startswith("#"):
            size, p, q = line.split()
            found[int(size)].append((_number(p), _number(q)))
    return found


def _number(written: str) -> int:
    return int.from_bytes(b64decode(written))


def _written(prime: int) -> str:
    return b64encode(prime.to_bytes((prime.bit_length() + 7) // 8)).decode()


def _generate() -> str:
    lines = []
    for size in SIZES:
        for _ in range(PER_SIZE):
            numbers = rsa.generate_private_key(_EXPONENT, size).private_numbers()
            lines.append(f"{size} {_written(numbers.p)} {_written(numbers.q)}\n")
    return _HEADER + "".join(lines)


if __name__ == "__main__":
    FILE.write_text(_generate())
