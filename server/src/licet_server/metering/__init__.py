"""Metering: wallets, the ledger, prices of features.

Invariants: a balance is never below zero; whatever moves a balance leaves an entry in the ledger in
the same transaction, under the wallet's lock and with the next number; an entry never changes. A
charge with an idempotency key happens once.
"""
