"""Alembic's entry: runs on the connection that `licet_server.migrations` hands over."""

from alembic import context

from licet_server.kit.database import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_server_default=True,
)
with context.begin_transaction():
    if take_turn := context.config.attributes.get("take_turn"):
        take_turn(context.get_bind())
    context.run_migrations()
