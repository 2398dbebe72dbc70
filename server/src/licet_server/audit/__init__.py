"""The audit log: who changed what, when and from where, and the proof that nobody touched it.

It is a view of the recorded events, which commit with the changes that they tell of. In the
background every event gets its place in a chain of seals; the invariant is that a chain without a
gap, whose seals follow one from another, holds exactly the events that were recorded.
"""
