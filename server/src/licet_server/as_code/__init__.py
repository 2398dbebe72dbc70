"""Products, policies and webhooks as code: compares a file with a service and applies it."""
