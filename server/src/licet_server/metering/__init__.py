"""Metering: wallets, the ledger, feature prices.

Invariants: a balance is never below zero. Every change of a balance adds a ledger entry with the
next sequence number, in the same transaction and under the wallet's lock. An entry never changes. A
charge with an idempotency key happens once.
"""
