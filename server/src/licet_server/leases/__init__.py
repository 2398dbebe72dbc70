"""Leases: seats and credits that devices take away, and use without a network until a date.

Invariants, at every commit:

- A license never has more live sessions and open leases than seats: a lease is the slot of a
  session that does not end by silence, so that it is counted where sessions are.
- Balance, held and consumed together are what was granted and adjusted: credits leave the balance
  before a device spends them, and each is charged or comes back once.
- What a lease has is free only by a receipt of its device, at its end, or by force.
- A device has at most one open lease of a license, and its `seq` only grows.
- A renewal, a report or a return from an older state than the newest is a fork: the lease is held
  until its end, and the device gets no other one until an operator acknowledges it.
"""
