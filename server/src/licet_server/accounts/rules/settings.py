"""What an institution sets for itself."""

from dataclasses import dataclass

from licet_server.accounts.rules.addresses import is_admitted

RATE_LIMIT_MAX = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class InstitutionSettings:
    """From where people are let in, and how many requests a minute each key may make.

    An empty list lets in from everywhere; a limit of `None` is as many as they like.
    """

    ip_allow_list: tuple[str, ...] = ()
    runtime_rate_limit: int | None = None
    api_key_rate_limit: int | None = None

    def admits(self, address: str) -> bool:
        """Whether people are let in from there."""
        return is_admitted(self.ip_allow_list, address)
