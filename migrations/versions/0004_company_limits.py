"""What no employee of a company may do, whatever its job sheet says."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """A mode per kind of work; nothing is limited at first. Only administrators' pages write it."""
    op.execute("ALTER TABLE tenants ADD COLUMN floors JSONB DEFAULT '{}' NOT NULL")
    op.execute("GRANT UPDATE (floors) ON tenants TO placet_web")


def downgrade() -> None:
    """What people decided is not thrown away."""
    raise RuntimeError("the companies' limits would be lost")
