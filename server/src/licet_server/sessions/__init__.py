"""Sessions: the instances of applications that use a license now, and the pools they share.

Invariant: a Floating license never has more live sessions than its seat cap when each was admitted.
Every live session occupies a numbered slot, and a slot holds at most one session.
"""
