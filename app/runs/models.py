"""What is one piece of work made of? A run, its turns (answers of the model), and their calls."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, a_member, belongs_to, words
from app.policy.decision import Kind, Mode
from app.runs.states import CallStatus, End, RunStatus, WaitingFor


class Origin(StrEnum):
    """Who or what started a run."""

    PERSON = "person"
    TRIGGER = "trigger"  # a mail
    SCHEDULE = "schedule"
    VISITOR = "visitor"
    AGENT = "agent"


class Run(TenantOwned, Base):
    """One piece of work; the row is also its place in the queue."""

    __tablename__ = "runs"
    __table_args__ = (
        a_member("started_by"),
        a_member("cancelled_by"),
        belongs_to("agents", "agent_id"),
        belongs_to("conversations", "conversation_id"),
        CheckConstraint("(status = 'waiting') = (waiting_for IS NOT NULL)", name="waits_for_something"),
        CheckConstraint("(status IN ('done','stopped','failed','cancelled')) = (ended_at IS NOT NULL)", name="ended"),
        CheckConstraint("(status = 'running') = (lease_token IS NOT NULL)", name="leased_while_running"),
        Index("ix_runs_conversation_id", "tenant_id", "conversation_id"),
        Index("ix_runs_due", "due_at", postgresql_where=text("status IN ('queued','running','waiting')")),
        Index(
            "uq_runs_one_at_a_time",
            "tenant_id",
            "conversation_id",
            unique=True,
            postgresql_where=text("status IN ('queued','running','waiting')"),
        ),
    )

    agent_id: Mapped[UUID]
    conversation_id: Mapped[UUID]
    origin: Mapped[Origin] = mapped_column(words(Origin))
    started_by: Mapped[UUID | None]
    status: Mapped[RunStatus] = mapped_column(words(RunStatus), default=RunStatus.QUEUED)
    waiting_for: Mapped[WaitingFor | None] = mapped_column(words(WaitingFor))
    end: Mapped[End | None] = mapped_column(words(End))
    error_reference: Mapped[str | None]
    due_at: Mapped[datetime] = mapped_column(server_default=NOW)  # queued: since then; waiting: wakes then by itself
    lease_token: Mapped[UUID | None]
    lease_until: Mapped[datetime | None]
    claims: Mapped[int] = mapped_column(server_default="0")
    model_troubles: Mapped[int] = mapped_column(server_default="0")
    cancelled_by: Mapped[UUID | None]  # a worker ends it at its next step
    bound_id: Mapped[UUID | None]  # content: what the run is about (correspondent, mail, order), fixed by us
    outside_read: Mapped[bool] = mapped_column(default=False)
    house_read: Mapped[bool] = mapped_column(default=False)
    max_tokens_raised: Mapped[int] = mapped_column(server_default="0")
    worked_ms: Mapped[int] = mapped_column(server_default="0")  # time spent working; waiting is not counted
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)
    ended_at: Mapped[datetime | None]


class Turn(TenantOwned, Base):
    """One answer of the model inside a run. `counted` is false where it was dropped (cut, malformed)."""

    __tablename__ = "turns"
    __table_args__ = (belongs_to("runs", "run_id"), UniqueConstraint("tenant_id", "run_id", "number"))

    run_id: Mapped[UUID]
    number: Mapped[int]
    counted: Mapped[bool] = mapped_column(default=True)
    stop_reason: Mapped[str | None]
    model: Mapped[str]
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]
    cache_read_tokens: Mapped[int]
    cache_write_tokens: Mapped[int]
    usage_known: Mapped[bool] = mapped_column(default=True)
    cost_usd: Mapped[Decimal]
    duration_ms: Mapped[int]
    rules_mark: Mapped[str]  # keyed fingerprint of system prompt and tool list
    content_id: Mapped[UUID]  # the assistant's blocks as they came
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)


class ToolCall(TenantOwned, Base):
    """One call inside a turn, with its decision and its outcome."""

    __tablename__ = "calls"
    __table_args__ = (
        a_member("settled_by"),
        belongs_to("runs", "run_id"),
        belongs_to("turns", "turn_id"),
        UniqueConstraint("tenant_id", "turn_id", "position"),
        Index("ix_calls_run_id", "tenant_id", "run_id"),
        CheckConstraint("status <> 'running' OR intent_at IS NOT NULL", name="intent_before_effect"),
        CheckConstraint("status NOT IN ('done','failed','refused') OR result_id IS NOT NULL", name="ended_with_result"),
        CheckConstraint("status NOT IN ('ready','asking','running') OR result_id IS NULL", name="open_without_result"),
    )

    run_id: Mapped[UUID]
    turn_id: Mapped[UUID]
    position: Mapped[int]
    tool_use_id: Mapped[str]
    tool: Mapped[str]
    kind: Mapped[Kind | None] = mapped_column(words(Kind))  # None: there is no such tool
    mode: Mapped[Mode | None] = mapped_column(words(Mode))
    trail: Mapped[list[Any]] = mapped_column(default=list)
    sheet_id: Mapped[UUID]
    status: Mapped[CallStatus] = mapped_column(words(CallStatus))
    refused_by: Mapped[str | None]  # policy, guard:<name>, person, silence, run_ended
    is_error: Mapped[bool] = mapped_column(default=False)
    arguments_id: Mapped[UUID]  # content: {"model": as it came, "canonical": what runs, "why": …, "exception": …}
    arguments_mark: Mapped[str]  # keyed hash of tool and canonical arguments
    nearly_mark: Mapped[str]  # the same for arguments that are nearly the same
    target_mark: Mapped[str | None]  # keyed hash of where the effect goes
    result_id: Mapped[UUID | None]
    result_mark: Mapped[str | None]
    brings_outside: Mapped[bool] = mapped_column(default=False)  # its result holds a third party's text
    error_reference: Mapped[str | None]
    idempotency_key: Mapped[str | None]
    intent_at: Mapped[datetime | None]
    intent_token: Mapped[UUID | None]
    outcome_at: Mapped[datetime | None]
    answer_by: Mapped[datetime | None]  # uncertain: until then the run waits for a person
    settled_by: Mapped[UUID | None]
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)
