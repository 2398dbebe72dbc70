"""The queries over events; no other module holds SQL for them."""
