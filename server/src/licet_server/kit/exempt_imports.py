"""Imported last before processes are forked, because only imports run there.

What has been imported is exempt from collection in each of them. So they share its memory: a
collector that looks at an object copies the memory page that has it.
"""

from licet_server.kit.process import exempt_heap

exempt_heap()
