"""Keys and addresses that a company enters; servers with tools of somebody else's making, and what was said about them."""

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """One file of SQL."""
    sql = (Path(__file__).parent / "0003_tool_servers.sql").read_text(encoding="utf-8")
    op.get_bind().connection.driver_connection.execute(sql)


def downgrade() -> None:
    """What people entered is not thrown away."""
    raise RuntimeError("the companies' keys would be lost")
