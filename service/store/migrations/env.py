"""What Alembic runs for each command; the connection comes from `service.store.migrate`."""

from alembic import context

from service.store.tables import METADATA


def run() -> None:
    """Apply the steps within the transaction of the connection that was handed over."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        compare_type=True,
        render_as_batch=connection.dialect.name == "sqlite",
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run()
