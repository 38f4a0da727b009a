"""What belongs to one conversation or one task is found by an index, however many others there are."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Every step of a task reads these."""
    op.create_index("ix_runs_conversation_id", "runs", ["tenant_id", "conversation_id"])
    op.create_index("ix_approvals_run_id", "approvals", ["tenant_id", "run_id"])
    op.create_index("ix_grants_conversation_id", "grants", ["tenant_id", "conversation_id"])
    op.create_index("ix_mails_conversation_id", "mails", ["tenant_id", "conversation_id"])


def downgrade() -> None:
    """Nothing is lost with them."""
    op.drop_index("ix_mails_conversation_id", "mails")
    op.drop_index("ix_grants_conversation_id", "grants")
    op.drop_index("ix_approvals_run_id", "approvals")
    op.drop_index("ix_runs_conversation_id", "runs")
