"""The audit log: who changed what, when and from where, and proof that nobody altered it.

It is a view of the recorded events, which commit with the changes that they describe. A background
job gives every event its place in a chain of seals. A chain without gaps, in which each seal
follows from the one before, holds exactly the events that were recorded.
"""
