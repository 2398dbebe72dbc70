"""Proofs of identity in a session."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

PROOF_MINUTES = 15


class ProofMethod(StrEnum):
    """A means to prove one's identity."""

    PASSWORD = "Password"  # noqa: S105 - the name of a method
    OTP = "Otp"
    PASSKEY = "Passkey"
    PROVIDER = "Provider"


SECOND_FACTORS = (ProofMethod.OTP, ProofMethod.PASSKEY)
"""`Otp` is a code from the authenticator app, or a recovery code."""

OWN_PROOFS = (ProofMethod.PASSWORD, *SECOND_FACTORS)
"""The methods that the service checks. `Provider` is a sign-in at an identity provider."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof of identity: the methods that were used together, at one instant."""

    at: datetime
    methods: tuple[ProofMethod, ...]

    @property
    def ends_at(self) -> datetime:
        """Return until when the proof counts as a step-up."""
        return self.at + timedelta(minutes=PROOF_MINUTES)

    def permits(self, now: datetime, accepted: Collection[ProofMethod]) -> bool:
        """Check whether the proof is recent, and by one of the accepted methods."""
        return now < self.ends_at and not set(accepted).isdisjoint(self.methods)
