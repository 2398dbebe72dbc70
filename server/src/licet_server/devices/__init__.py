"""Devices: which machines a license is activated on or bound to, and who else tried.

Invariant: a license never has more seat holders than its cap allowed when each was let in, and a
node-locked license never has more than one machine, whatever arrives at the same time.
"""
