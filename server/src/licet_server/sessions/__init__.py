"""Live sessions: who uses a license right now, and the pool of a Floating one.

Invariant: a Floating license never has more live sessions than its cap allowed when each was let
in. Every live session stands in a numbered slot, and a slot holds one session.
"""
