"""Devices: the machines a license is activated on or bound to, and denied access attempts.

Invariant: however many requests arrive at once, no device is admitted beyond the seat cap in force
at that moment, and a node-locked license is never bound to more than one machine.
"""
