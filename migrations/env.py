"""How does Alembic reach the database? With the connection that app/database/migrate.py hands it."""

from alembic import context
from sqlalchemy import Connection

from app.tables import METADATA

connection: Connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, transactional_ddl=True, compare_type=True)
with context.begin_transaction():
    context.run_migrations()
