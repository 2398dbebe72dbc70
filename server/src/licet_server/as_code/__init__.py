"""Products, policies and webhooks as a file: compared with a service, and applied, over HTTP."""
