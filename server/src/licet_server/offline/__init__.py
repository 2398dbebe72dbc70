"""Offline requests: machines without a connection are activated and released by file or code.

Invariants, at every commit:

- A request is answered once: the same one again gets the same file and code, and takes no second
  seat.
- The `seq` of a device only grows. A request that is older than the newest one comes from a copy or
  a backup of the device: it is refused, and the vendor is told.
- A seat is free by a release that the device signed after it stopped using its answer, not by its
  word; a file that the release does not cover keeps the seat until its end.
"""
