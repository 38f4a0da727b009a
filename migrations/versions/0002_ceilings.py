"""Ceilings and uses of exceptions are counted, who talks to an employee is on its job sheet, a trial's end is noted."""

from pathlib import Path

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """One file of SQL."""
    sql = (Path(__file__).parent / "0002_ceilings.sql").read_text(encoding="utf-8")
    op.get_bind().connection.driver_connection.execute(sql)


def downgrade() -> None:
    """What was counted is not thrown away."""
    raise RuntimeError("the counters of ceilings would be lost")
