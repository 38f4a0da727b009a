-- The first tables, as the models of the rooms describe them (app/*/models.py).

CREATE TABLE sign_in_attempts (
    key TEXT NOT NULL,
    since TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    count INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_sign_in_attempts PRIMARY KEY (key)
);

CREATE TABLE tenants (
    id UUID NOT NULL,
    name TEXT NOT NULL,
    language TEXT DEFAULT 'en' NOT NULL,
    time_zone TEXT DEFAULT 'Europe/Paris' NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT pk_tenants PRIMARY KEY (id)
);

CREATE TABLE users (
    id UUID NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    platform_role VARCHAR(40),
    language TEXT,
    time_zone TEXT,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT ck_users_platformrole CHECK (platform_role IN ('operator', 'support'))
);

CREATE UNIQUE INDEX uq_users_email ON users (lower(email));

CREATE TABLE agents (
    template TEXT NOT NULL,
    name TEXT NOT NULL,
    status VARCHAR(40) NOT NULL,
    on_trial BOOLEAN NOT NULL,
    trial_ends_at TIMESTAMP WITH TIME ZONE,
    sheet_version INTEGER NOT NULL,
    hired_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_agents PRIMARY KEY (tenant_id, id),
    CONSTRAINT ck_agents_agentstatus CHECK (status IN ('active', 'paused', 'dismissed')),
    CONSTRAINT fk_agents_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE budgets (
    month TEXT NOT NULL,
    limit_usd NUMERIC(16, 6) NOT NULL,
    reserved_usd NUMERIC(16, 6) DEFAULT '0' NOT NULL,
    settled_usd NUMERIC(16, 6) DEFAULT '0' NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_budgets PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_budgets_tenant_id_month UNIQUE (tenant_id, month),
    CONSTRAINT ck_budgets_not_negative CHECK (reserved_usd >= 0 AND settled_usd >= 0),
    CONSTRAINT fk_budgets_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE data_keys (
    period TEXT NOT NULL,
    wrapped BYTEA NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_data_keys PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_data_keys_tenant_id_period UNIQUE (tenant_id, period),
    CONSTRAINT fk_data_keys_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE journal (
    position INTEGER NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    event TEXT NOT NULL,
    by_user UUID,
    by_agent UUID,
    about UUID,
    agent_id UUID,
    facts JSONB NOT NULL,
    previous_hash BYTEA NOT NULL,
    hash BYTEA NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_journal PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_journal_tenant_id_position UNIQUE (tenant_id, position),
    CONSTRAINT fk_journal_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE journal_heads (
    tenant_id UUID NOT NULL,
    position INTEGER NOT NULL,
    hash BYTEA NOT NULL,
    CONSTRAINT pk_journal_heads PRIMARY KEY (tenant_id),
    CONSTRAINT fk_journal_heads_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE memberships (
    user_id UUID NOT NULL,
    role VARCHAR(40) NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_memberships PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_memberships_tenant_id_user_id UNIQUE (tenant_id, user_id),
    CONSTRAINT fk_memberships_user_id FOREIGN KEY(user_id) REFERENCES users (id),
    CONSTRAINT ck_memberships_role CHECK (role IN ('admin', 'manager', 'member')),
    CONSTRAINT fk_memberships_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE operations (
    name TEXT NOT NULL,
    user_id UUID,
    outcome JSONB NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_operations PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_operations_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE outbox (
    name TEXT NOT NULL,
    user_id UUID NOT NULL,
    about UUID,
    message_id TEXT NOT NULL,
    content_id UUID NOT NULL,
    status VARCHAR(40) NOT NULL,
    attempts INTEGER DEFAULT '0' NOT NULL,
    due_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    last_code TEXT,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    sent_at TIMESTAMP WITH TIME ZONE,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_outbox PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_outbox_tenant_id_message_id UNIQUE (tenant_id, message_id),
    CONSTRAINT fk_outbox_tenant_id_user_id FOREIGN KEY(tenant_id, user_id) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT ck_outbox_outboxstatus CHECK (status IN ('waiting', 'sent', 'dead')),
    CONSTRAINT fk_outbox_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE INDEX ix_outbox_due ON outbox (due_at) WHERE status = 'waiting';

CREATE TABLE sessions (
    user_id UUID NOT NULL,
    token_hash BYTEA NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_sessions PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_sessions_tenant_id_token_hash UNIQUE (tenant_id, token_hash),
    CONSTRAINT fk_sessions_tenant_id_user_id FOREIGN KEY(tenant_id, user_id) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_sessions_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE INDEX ix_sessions_token_hash ON sessions (token_hash);

CREATE TABLE agent_managers (
    agent_id UUID NOT NULL,
    user_id UUID NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_agent_managers PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_agent_managers_tenant_id_agent_id FOREIGN KEY(tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    CONSTRAINT uq_agent_managers_tenant_id_agent_id_user_id UNIQUE (tenant_id, agent_id, user_id),
    CONSTRAINT fk_agent_managers_tenant_id_user_id FOREIGN KEY(tenant_id, user_id) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_agent_managers_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE content (
    key_id UUID NOT NULL,
    sealed BYTEA NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_content PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_content_tenant_id_key_id FOREIGN KEY(tenant_id, key_id) REFERENCES data_keys (tenant_id, id),
    CONSTRAINT fk_content_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE conversations (
    agent_id UUID NOT NULL,
    kind VARCHAR(40) NOT NULL,
    started_by UUID,
    title_id UUID NOT NULL,
    outside_at TIMESTAMP WITH TIME ZONE,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    changed_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_conversations PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_conversations_tenant_id_agent_id FOREIGN KEY(tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    CONSTRAINT ck_conversations_conversationkind CHECK (kind IN ('task', 'mail')),
    CONSTRAINT fk_conversations_tenant_id_started_by FOREIGN KEY(tenant_id, started_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_conversations_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE job_sheets (
    agent_id UUID NOT NULL,
    version INTEGER NOT NULL,
    kinds JSONB NOT NULL,
    tools JSONB NOT NULL,
    listed_tools JSONB NOT NULL,
    public_tools JSONB NOT NULL,
    outside_content_rule BOOLEAN NOT NULL,
    words_id UUID NOT NULL,
    made_by UUID,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_job_sheets PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_job_sheets_tenant_id_agent_id FOREIGN KEY(tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    CONSTRAINT uq_job_sheets_tenant_id_agent_id_version UNIQUE (tenant_id, agent_id, version),
    CONSTRAINT fk_job_sheets_tenant_id_made_by FOREIGN KEY(tenant_id, made_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_job_sheets_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE mail_addresses (
    address TEXT NOT NULL,
    agent_id UUID NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_mail_addresses PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_mail_addresses_tenant_id_agent_id FOREIGN KEY(tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    CONSTRAINT uq_mail_addresses_tenant_id_address UNIQUE (tenant_id, address),
    CONSTRAINT fk_mail_addresses_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE INDEX ix_mail_addresses_address ON mail_addresses (address);

CREATE TABLE grants (
    conversation_id UUID NOT NULL,
    tool TEXT NOT NULL,
    scope_id UUID,
    facts JSONB NOT NULL,
    given_by UUID NOT NULL,
    given_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_grants PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_grants_tenant_id_conversation_id FOREIGN KEY(tenant_id, conversation_id) REFERENCES conversations (tenant_id, id),
    CONSTRAINT fk_grants_tenant_id_given_by FOREIGN KEY(tenant_id, given_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_grants_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE mails (
    mark TEXT NOT NULL,
    conversation_id UUID NOT NULL,
    content_id UUID NOT NULL,
    arrived_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_mails PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_mails_tenant_id_conversation_id FOREIGN KEY(tenant_id, conversation_id) REFERENCES conversations (tenant_id, id),
    CONSTRAINT uq_mails_tenant_id_mark UNIQUE (tenant_id, mark),
    CONSTRAINT fk_mails_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE messages (
    conversation_id UUID NOT NULL,
    author VARCHAR(40) NOT NULL,
    kind VARCHAR(40) NOT NULL,
    user_id UUID,
    for_model BOOLEAN NOT NULL,
    run_id UUID,
    after_turn INTEGER,
    drawn_from_outside BOOLEAN NOT NULL,
    content_id UUID NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_messages PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_messages_tenant_id_conversation_id FOREIGN KEY(tenant_id, conversation_id) REFERENCES conversations (tenant_id, id),
    CONSTRAINT ck_messages_author CHECK (author IN ('person', 'agent', 'outside', 'placet')),
    CONSTRAINT ck_messages_messagekind CHECK (kind IN ('said', 'mail', 'draft', 'note', 'answer')),
    CONSTRAINT fk_messages_tenant_id_user_id FOREIGN KEY(tenant_id, user_id) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_messages_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE INDEX ix_messages_conversation_id ON messages (tenant_id, conversation_id, made_at);

CREATE TABLE runs (
    agent_id UUID NOT NULL,
    conversation_id UUID NOT NULL,
    origin VARCHAR(40) NOT NULL,
    started_by UUID,
    status VARCHAR(40) NOT NULL,
    waiting_for VARCHAR(40),
    "end" VARCHAR(40),
    error_reference TEXT,
    due_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    lease_token UUID,
    lease_until TIMESTAMP WITH TIME ZONE,
    claims INTEGER DEFAULT '0' NOT NULL,
    model_troubles INTEGER DEFAULT '0' NOT NULL,
    cancelled_by UUID,
    bound_id UUID,
    outside_read BOOLEAN NOT NULL,
    house_read BOOLEAN NOT NULL,
    max_tokens_raised INTEGER DEFAULT '0' NOT NULL,
    worked_ms INTEGER DEFAULT '0' NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_runs PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_runs_tenant_id_agent_id FOREIGN KEY(tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    CONSTRAINT fk_runs_tenant_id_conversation_id FOREIGN KEY(tenant_id, conversation_id) REFERENCES conversations (tenant_id, id),
    CONSTRAINT ck_runs_waits_for_something CHECK ((status = 'waiting') = (waiting_for IS NOT NULL)),
    CONSTRAINT ck_runs_ended CHECK ((status IN ('done','stopped','failed','cancelled')) = (ended_at IS NOT NULL)),
    CONSTRAINT ck_runs_leased_while_running CHECK ((status = 'running') = (lease_token IS NOT NULL)),
    CONSTRAINT ck_runs_origin CHECK (origin IN ('person', 'trigger', 'schedule', 'visitor', 'agent')),
    CONSTRAINT fk_runs_tenant_id_started_by FOREIGN KEY(tenant_id, started_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT ck_runs_runstatus CHECK (status IN ('queued', 'running', 'waiting', 'done', 'stopped', 'failed', 'cancelled')),
    CONSTRAINT ck_runs_waitingfor CHECK (waiting_for IN ('person', 'budget', 'model', 'uncertain')),
    CONSTRAINT ck_runs_end CHECK ("end" IN ('answered', 'step_limit', 'errors_in_a_row', 'token_limit', 'money_limit', 'time_limit', 'too_old', 'truncated', 'context_full', 'model_refused', 'model_unreadable', 'model_unreachable', 'request_invalid', 'wrong_key', 'broke', 'cancelled', 'dismissed')),
    CONSTRAINT fk_runs_tenant_id_cancelled_by FOREIGN KEY(tenant_id, cancelled_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_runs_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE INDEX ix_runs_due ON runs (due_at) WHERE status IN ('queued','running','waiting');

CREATE UNIQUE INDEX uq_runs_one_at_a_time ON runs (tenant_id, conversation_id) WHERE status IN ('queued','running','waiting');

CREATE TABLE turns (
    run_id UUID NOT NULL,
    number INTEGER NOT NULL,
    counted BOOLEAN NOT NULL,
    stop_reason TEXT,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    usage_known BOOLEAN NOT NULL,
    cost_usd NUMERIC(16, 6) NOT NULL,
    duration_ms INTEGER NOT NULL,
    rules_mark TEXT NOT NULL,
    content_id UUID NOT NULL,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_turns PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_turns_tenant_id_run_id FOREIGN KEY(tenant_id, run_id) REFERENCES runs (tenant_id, id),
    CONSTRAINT uq_turns_tenant_id_run_id_number UNIQUE (tenant_id, run_id, number),
    CONSTRAINT fk_turns_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE usage (
    run_id UUID NOT NULL,
    budget_id UUID NOT NULL,
    model TEXT NOT NULL,
    status VARCHAR(40) NOT NULL,
    reserved_usd NUMERIC(16, 6) NOT NULL,
    cost_usd NUMERIC(16, 6),
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_usage PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_usage_tenant_id_run_id FOREIGN KEY(tenant_id, run_id) REFERENCES runs (tenant_id, id),
    CONSTRAINT fk_usage_tenant_id_budget_id FOREIGN KEY(tenant_id, budget_id) REFERENCES budgets (tenant_id, id),
    CONSTRAINT ck_usage_usagestatus CHECK (status IN ('reserved', 'settled', 'at_bound', 'returned')),
    CONSTRAINT fk_usage_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE calls (
    run_id UUID NOT NULL,
    turn_id UUID NOT NULL,
    position INTEGER NOT NULL,
    tool_use_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    kind VARCHAR(40),
    mode VARCHAR(40),
    trail JSONB NOT NULL,
    sheet_id UUID NOT NULL,
    status VARCHAR(40) NOT NULL,
    refused_by TEXT,
    is_error BOOLEAN NOT NULL,
    arguments_id UUID NOT NULL,
    arguments_mark TEXT NOT NULL,
    nearly_mark TEXT NOT NULL,
    target_mark TEXT,
    result_id UUID,
    result_mark TEXT,
    brings_outside BOOLEAN NOT NULL,
    error_reference TEXT,
    idempotency_key TEXT,
    intent_at TIMESTAMP WITH TIME ZONE,
    intent_token UUID,
    outcome_at TIMESTAMP WITH TIME ZONE,
    answer_by TIMESTAMP WITH TIME ZONE,
    settled_by UUID,
    made_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_calls PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_calls_tenant_id_run_id FOREIGN KEY(tenant_id, run_id) REFERENCES runs (tenant_id, id),
    CONSTRAINT fk_calls_tenant_id_turn_id FOREIGN KEY(tenant_id, turn_id) REFERENCES turns (tenant_id, id),
    CONSTRAINT uq_calls_tenant_id_turn_id_position UNIQUE (tenant_id, turn_id, position),
    CONSTRAINT ck_calls_intent_before_effect CHECK (status <> 'running' OR intent_at IS NOT NULL),
    CONSTRAINT ck_calls_ended_with_result CHECK (status NOT IN ('done','failed','refused') OR result_id IS NOT NULL),
    CONSTRAINT ck_calls_open_without_result CHECK (status NOT IN ('ready','asking','running') OR result_id IS NULL),
    CONSTRAINT ck_calls_kind CHECK (kind IN ('read', 'organize', 'draft', 'act', 'delete')),
    CONSTRAINT ck_calls_mode CHECK (mode IN ('do', 'tell', 'ask', 'never')),
    CONSTRAINT ck_calls_callstatus CHECK (status IN ('ready', 'asking', 'running', 'done', 'failed', 'refused', 'uncertain')),
    CONSTRAINT fk_calls_tenant_id_settled_by FOREIGN KEY(tenant_id, settled_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_calls_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE INDEX ix_calls_run_id ON calls (tenant_id, run_id);

CREATE TABLE approvals (
    agent_id UUID NOT NULL,
    run_id UUID NOT NULL,
    call_id UUID NOT NULL,
    sheet_id UUID NOT NULL,
    status VARCHAR(40) NOT NULL,
    arguments_id UUID NOT NULL,
    arguments_mark TEXT NOT NULL,
    changed BOOLEAN NOT NULL,
    correspondent_mark TEXT,
    asked_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    remind_at TIMESTAMP WITH TIME ZONE NOT NULL,
    reminded_at TIMESTAMP WITH TIME ZONE,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    decided_by UUID,
    decided_at TIMESTAMP WITH TIME ZONE,
    comment_id UUID,
    withdrawn_why TEXT,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_approvals PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_approvals_tenant_id_agent_id FOREIGN KEY(tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    CONSTRAINT fk_approvals_tenant_id_run_id FOREIGN KEY(tenant_id, run_id) REFERENCES runs (tenant_id, id),
    CONSTRAINT fk_approvals_tenant_id_call_id FOREIGN KEY(tenant_id, call_id) REFERENCES calls (tenant_id, id),
    CONSTRAINT ck_approvals_decided_by_a_person CHECK (status NOT IN ('approved','rejected') OR decided_by IS NOT NULL),
    CONSTRAINT ck_approvals_silence_has_no_name CHECK (status NOT IN ('pending','expired') OR decided_by IS NULL),
    CONSTRAINT ck_approvals_approvalstatus CHECK (status IN ('pending', 'approved', 'rejected', 'expired', 'withdrawn', 'superseded')),
    CONSTRAINT fk_approvals_tenant_id_decided_by FOREIGN KEY(tenant_id, decided_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_approvals_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE INDEX ix_approvals_due ON approvals (expires_at) WHERE status = 'pending';

CREATE UNIQUE INDEX uq_approvals_one_open ON approvals (tenant_id, call_id) WHERE status = 'pending';
