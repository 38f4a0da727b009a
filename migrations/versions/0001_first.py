"""The first tables, and who may do what with them."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Two files of SQL: what there is, and who may touch it."""
    here = Path(__file__).parent
    for name in ("0001_tables.sql", "0001_roles.sql"):
        # Straight to psycopg, without parameters: a per cent sign in the SQL is just that.
        op.get_bind().connection.driver_connection.execute((here / name).read_text())


def downgrade() -> None:
    """There is nothing before the first version."""
    raise RuntimeError("nothing comes before the first version")
