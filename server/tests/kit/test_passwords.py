"""Where there is no hash, a password is compared with one that costs the same, and fits none."""

from typing import Literal

from argon2 import PasswordHasher, extract_parameters

from licet_server.kit.passwords import Passwords


class Recording(PasswordHasher):
    """Keeps what it is asked to verify."""

    def __init__(self) -> None:
        super().__init__(time_cost=2, memory_cost=64, parallelism=1)
        self.verified: list[str] = []

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
        self.verified.append(str(hash))
        return super().verify(hash, password)


async def test_password_without_hash_is_compared_at_the_same_cost() -> None:
    hasher = Recording()
    passwords = Passwords(hasher)
    assert not await passwords.matches(None, "a password")
    assert not await passwords.in_background().matches(None, "a password")
    [decoy, again] = hasher.verified
    assert decoy == again
    real = hasher.hash("a password")
    assert extract_parameters(decoy) == extract_parameters(real)
    assert len(decoy) == len(real)
    assert await passwords.matches(real, "a password")
