-- Counters of ceilings and of exceptions' uses; the job sheet's ceilings and talkers; the end of a trial.

ALTER TABLE job_sheets ADD COLUMN ceilings JSONB NOT NULL DEFAULT '[]', ADD COLUMN talkers JSONB NOT NULL DEFAULT '[]';
ALTER TABLE agents ADD COLUMN trial_noted_at TIMESTAMP WITH TIME ZONE;

CREATE TABLE ceiling_counters (
    agent_id UUID NOT NULL,
    ceiling_id TEXT NOT NULL,
    whose_mark TEXT NOT NULL,
    span TEXT NOT NULL,
    used NUMERIC(16, 6) DEFAULT '0' NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_ceiling_counters PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_ceiling_counters_tenant_id_agent_id FOREIGN KEY(tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    CONSTRAINT uq_ceiling_counters_one_a_span UNIQUE (tenant_id, agent_id, ceiling_id, whose_mark, span),
    CONSTRAINT ck_ceiling_counters_not_negative CHECK (used >= 0),
    CONSTRAINT fk_ceiling_counters_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE ceiling_holds (
    call_id UUID NOT NULL,
    counter_id UUID NOT NULL,
    amount NUMERIC(16, 6) NOT NULL,
    held BOOLEAN NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_ceiling_holds PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_ceiling_holds_tenant_id_call_id FOREIGN KEY(tenant_id, call_id) REFERENCES calls (tenant_id, id),
    CONSTRAINT fk_ceiling_holds_tenant_id_counter_id FOREIGN KEY(tenant_id, counter_id) REFERENCES ceiling_counters (tenant_id, id),
    CONSTRAINT uq_ceiling_holds_tenant_id_call_id_counter_id UNIQUE (tenant_id, call_id, counter_id),
    CONSTRAINT ck_ceiling_holds_not_negative CHECK (amount >= 0),
    CONSTRAINT fk_ceiling_holds_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE exception_uses (
    agent_id UUID NOT NULL,
    exception_id TEXT NOT NULL,
    day TEXT NOT NULL,
    used INTEGER DEFAULT '0' NOT NULL,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_exception_uses PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_exception_uses_tenant_id_agent_id FOREIGN KEY(tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    CONSTRAINT uq_exception_uses_tenant_id_agent_id_exception_id_day UNIQUE (tenant_id, agent_id, exception_id, day),
    CONSTRAINT ck_exception_uses_not_negative CHECK (used >= 0),
    CONSTRAINT fk_exception_uses_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['ceiling_counters', 'ceiling_holds', 'exception_uses'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_tenant ON %I TO placet_web, placet_worker, %I
            USING (tenant_id = bound_tenant()) WITH CHECK (tenant_id = bound_tenant())', name, current_user);
    END LOOP;
END $$;

-- A person's answer reserves too (with changes) and gives back (a no), so the web counts as the worker does.
GRANT SELECT, INSERT, UPDATE ON ceiling_counters, ceiling_holds TO placet_web, placet_worker;
-- Only a worker writes an intent, so only a worker uses an exception.
GRANT SELECT ON exception_uses TO placet_web;
GRANT SELECT, INSERT, UPDATE ON exception_uses TO placet_worker;

-- A trial ends with a person's word: the worker may note that its end came, and nothing more.
REVOKE UPDATE (on_trial) ON agents FROM placet_worker;
GRANT UPDATE (trial_noted_at) ON agents TO placet_worker;

GRANT SELECT (tenant_id, id, on_trial, trial_ends_at, trial_noted_at, status) ON agents TO placet_door;
CREATE POLICY door ON agents FOR SELECT TO placet_door USING (true);
GRANT CREATE ON SCHEMA public TO placet_door;
SET ROLE placet_door;
CREATE OR REPLACE FUNCTION door_due(what text, most integer) RETURNS TABLE (tenant_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    (SELECT a.tenant_id, a.id FROM approvals a WHERE what = 'expire' AND a.status = 'pending'
        AND a.expires_at <= clock_timestamp() ORDER BY a.expires_at LIMIT most)
    UNION ALL
    (SELECT a.tenant_id, a.id FROM approvals a WHERE what = 'remind' AND a.status = 'pending' AND a.reminded_at IS NULL
        AND a.remind_at <= clock_timestamp() AND a.expires_at > clock_timestamp() ORDER BY a.remind_at LIMIT most)
    UNION ALL
    (SELECT o.tenant_id, o.id FROM outbox o WHERE what = 'outbox' AND o.status = 'waiting'
        AND o.due_at <= clock_timestamp() ORDER BY o.due_at LIMIT most)
    UNION ALL
    (SELECT u.tenant_id, u.id FROM usage u WHERE what = 'usage' AND u.status = 'reserved'
        AND u.made_at <= clock_timestamp() - interval '15 minutes' ORDER BY u.made_at LIMIT most)
    UNION ALL
    (SELECT g.tenant_id, g.id FROM agents g WHERE what = 'trial' AND g.on_trial AND g.trial_noted_at IS NULL
        AND g.status <> 'dismissed' AND g.trial_ends_at <= clock_timestamp() ORDER BY g.trial_ends_at LIMIT most)
$$;
RESET ROLE;
REVOKE CREATE ON SCHEMA public FROM placet_door;
