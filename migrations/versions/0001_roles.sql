-- Who may do what: database roles, forced row-level security, the doors before a tenant is known, the journal's chain.
-- Sources: DESIGN.md section 7, RELIABILITY.md B9 to B12 and B17.

-- Roles are of the whole server, so they may exist already. Passwords are set by `placet migrate`.
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['placet_web', 'placet_worker', 'placet_operator'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', name);
        END IF;
        EXECUTE format('ALTER ROLE %I SET statement_timeout = ''15s''', name);
        EXECUTE format('ALTER ROLE %I SET lock_timeout = ''5s''', name);
        EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''30s''', name);
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), name);
    END LOOP;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'placet_door') THEN
        CREATE ROLE placet_door NOLOGIN NOSUPERUSER NOBYPASSRLS;
    END IF;
    EXECUTE format('GRANT placet_door TO %I', current_user);
END $$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO placet_web, placet_worker, placet_operator, placet_door;

CREATE FUNCTION bound_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN NULLIF(current_setting('placet.tenant_id', true), '')::uuid;

-- Every table with tenant_id: only rows of the bound company, for everybody who is not the operator or a door.
DO $$
DECLARE name text;
BEGIN
    FOR name IN SELECT table_name FROM information_schema.columns
                WHERE table_schema = 'public' AND column_name = 'tenant_id' LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_tenant ON %I TO placet_web, placet_worker, %I
            USING (tenant_id = bound_tenant()) WITH CHECK (tenant_id = bound_tenant())', name, current_user);
    END LOOP;
    EXECUTE 'ALTER TABLE tenants ENABLE ROW LEVEL SECURITY';
    EXECUTE 'ALTER TABLE tenants FORCE ROW LEVEL SECURITY';
    EXECUTE format('CREATE POLICY of_tenant ON tenants TO placet_web, placet_worker, %I
        USING (id = bound_tenant()) WITH CHECK (id = bound_tenant())', current_user);
    -- People are of no company alone: visible where they are members; written by the owner (commands), never by a page.
    EXECUTE 'ALTER TABLE users ENABLE ROW LEVEL SECURITY';
    EXECUTE 'ALTER TABLE users FORCE ROW LEVEL SECURITY';
    EXECUTE 'CREATE POLICY colleagues ON users TO placet_web, placet_worker
        USING (EXISTS (SELECT FROM memberships m WHERE m.tenant_id = bound_tenant() AND m.user_id = users.id))
        WITH CHECK (EXISTS (SELECT FROM memberships m WHERE m.tenant_id = bound_tenant() AND m.user_id = users.id))';
    EXECUTE format('CREATE POLICY written_by_commands ON users TO %I USING (true) WITH CHECK (true)', current_user);
    EXECUTE 'ALTER TABLE sign_in_attempts ENABLE ROW LEVEL SECURITY';
    EXECUTE 'ALTER TABLE sign_in_attempts FORCE ROW LEVEL SECURITY';
END $$;

-- The web: everything of a company but its past.
GRANT SELECT ON tenants, memberships, agent_managers, agents, job_sheets, mail_addresses, conversations, messages, mails, data_keys,
    content, runs, turns, calls, approvals, grants, budgets, usage, journal, outbox, operations, sessions TO placet_web;
GRANT SELECT (id, email, name, platform_role, language, time_zone, made_at) ON users TO placet_web, placet_worker;
GRANT UPDATE (language, time_zone) ON users TO placet_web;
GRANT INSERT ON memberships, agent_managers, agents, job_sheets, conversations, messages, mails, data_keys, content, runs,
    approvals, grants, operations, sessions, outbox TO placet_web;
GRANT UPDATE ON agents, conversations, messages, runs, calls, approvals, grants, sessions, budgets TO placet_web;
GRANT UPDATE (role, ended_at) ON memberships TO placet_web;

-- The worker: what a run needs. It cannot write a person's decision (below), a session, a membership or a job sheet.
GRANT SELECT ON tenants, memberships, agent_managers, agents, job_sheets, mail_addresses, conversations, messages, mails, data_keys,
    content, runs, turns, calls, approvals, grants, budgets, usage, journal, outbox, operations TO placet_worker;
GRANT INSERT ON conversations, messages, mails, data_keys, content, runs, turns, calls, approvals, budgets, usage, outbox,
    operations TO placet_worker;
GRANT UPDATE ON conversations, messages, runs, calls, budgets, usage, outbox, grants TO placet_worker;
GRANT UPDATE (status, withdrawn_why, reminded_at) ON approvals TO placet_worker;
GRANT UPDATE (status, on_trial) ON agents TO placet_worker;
CREATE POLICY no_decision_asked ON approvals AS RESTRICTIVE FOR INSERT TO placet_worker
    WITH CHECK (status = 'pending' AND decided_by IS NULL);
CREATE POLICY no_decision_made ON approvals AS RESTRICTIVE FOR UPDATE TO placet_worker
    WITH CHECK (status IN ('pending', 'expired', 'withdrawn', 'superseded') OR decided_by IS NULL);

-- The journal: INSERT on named columns only; position, hashes and time come from the trigger.
GRANT INSERT (tenant_id, id, event, by_user, by_agent, about, agent_id, facts) ON journal TO placet_web, placet_worker;

-- Commands run as the owner; it is bound to a company like everybody else.

-- The operator: metadata, column by column. What is not named here is not readable.
DO $$
DECLARE pair text[];
BEGIN
    FOREACH pair SLICE 1 IN ARRAY ARRAY[
        ['tenants', 'id, name, language, time_zone, made_at'],
        ['agents', 'tenant_id, id, template, status, on_trial, trial_ends_at, sheet_version, hired_at'],
        ['runs', 'tenant_id, id, agent_id, origin, status, waiting_for, "end", error_reference, due_at, claims, worked_ms, made_at, ended_at'],
        ['turns', 'tenant_id, id, run_id, number, counted, stop_reason, model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, usage_known, cost_usd, duration_ms, made_at'],
        ['calls', 'tenant_id, id, run_id, turn_id, position, tool, kind, mode, trail, status, refused_by, is_error, error_reference, intent_at, outcome_at, made_at'],
        ['approvals', 'tenant_id, id, agent_id, run_id, call_id, status, changed, asked_at, reminded_at, expires_at, decided_at, withdrawn_why'],
        ['budgets', 'tenant_id, id, month, limit_usd, reserved_usd, settled_usd'],
        ['usage', 'tenant_id, id, run_id, model, status, reserved_usd, cost_usd, made_at'],
        ['outbox', 'tenant_id, id, name, status, attempts, due_at, last_code, made_at, sent_at']
    ] LOOP
        EXECUTE format('GRANT SELECT (%s) ON %I TO placet_operator', pair[2], pair[1]);
        EXECUTE format('CREATE POLICY metadata ON %I FOR SELECT TO placet_operator USING (true)', pair[1]);
    END LOOP;
END $$;

-- The doors: what happens before a company is known. Owned by a role without login that sees just what each needs.
GRANT SELECT (id, email, password_hash, platform_role) ON users TO placet_door;
GRANT SELECT ON memberships, mail_addresses, journal_heads TO placet_door;
GRANT SELECT ON sessions TO placet_door;
GRANT SELECT, UPDATE ON runs TO placet_door;
GRANT SELECT ON approvals, outbox, usage TO placet_door;
GRANT SELECT ON calls TO placet_door;
GRANT INSERT, UPDATE ON journal_heads TO placet_door;
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_attempts TO placet_door;
CREATE POLICY door ON users FOR SELECT TO placet_door USING (true);
CREATE POLICY door ON memberships FOR SELECT TO placet_door USING (true);
CREATE POLICY door ON mail_addresses FOR SELECT TO placet_door USING (true);
CREATE POLICY door ON sessions FOR SELECT TO placet_door USING (true);
CREATE POLICY door ON runs TO placet_door USING (true) WITH CHECK (true);
CREATE POLICY door ON approvals FOR SELECT TO placet_door USING (true);
CREATE POLICY door ON calls FOR SELECT TO placet_door USING (true);
CREATE POLICY door ON outbox FOR SELECT TO placet_door USING (true);
CREATE POLICY door ON usage FOR SELECT TO placet_door USING (true);
CREATE POLICY door ON journal_heads TO placet_door USING (true) WITH CHECK (true);
CREATE POLICY door ON sign_in_attempts TO placet_door USING (true) WITH CHECK (true);

CREATE FUNCTION door_sign_in(address text)
    RETURNS TABLE (user_id uuid, password_hash text, platform_role text, tenant_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT u.id, u.password_hash, u.platform_role, m.tenant_id
    FROM users u LEFT JOIN memberships m ON m.user_id = u.id AND m.ended_at IS NULL
    WHERE lower(u.email) = lower(address) ORDER BY m.made_at
$$;

-- One more attempt under `attempt_key`; how many there were in the last 15 minutes, this one included.
CREATE FUNCTION door_sign_in_attempt(attempt_key text) RETURNS integer
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    DELETE FROM sign_in_attempts WHERE since < clock_timestamp() - interval '15 minutes';
    INSERT INTO sign_in_attempts AS a (key, count) VALUES (attempt_key, 1)
    ON CONFLICT (key) DO UPDATE SET count = a.count + 1
    RETURNING count
$$;

CREATE FUNCTION door_session(wanted bytea) RETURNS TABLE (tenant_id uuid, session_id uuid, user_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT s.tenant_id, s.id, s.user_id
    FROM sessions s JOIN memberships m ON m.tenant_id = s.tenant_id AND m.user_id = s.user_id AND m.ended_at IS NULL
    WHERE s.token_hash = wanted AND s.ended_at IS NULL AND s.expires_at > clock_timestamp()
$$;

-- Nothing where two companies have the address: what is ambiguous is refused.
CREATE FUNCTION door_mailbox(wanted text) RETURNS TABLE (tenant_id uuid, agent_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT (array_agg(a.tenant_id))[1], (array_agg(a.agent_id))[1]
    FROM mail_addresses a WHERE a.address = lower(wanted) HAVING count(*) = 1
$$;

-- Claim runs that are due, fairly between companies; each gets a fresh fencing token (RELIABILITY B4).
CREATE FUNCTION door_claim_runs(most integer, lease_seconds integer)
    RETURNS TABLE (tenant_id uuid, run_id uuid, lease_token uuid)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH due AS (
        SELECT r.tenant_id, r.id, r.due_at, row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.due_at) AS place
        FROM runs r
        WHERE (r.status = 'queued' AND r.due_at <= clock_timestamp())
           OR (r.status = 'running' AND r.lease_until < clock_timestamp())
           OR (r.status = 'waiting' AND r.due_at <= clock_timestamp())
        ORDER BY r.due_at LIMIT 2000
    ), mine AS (
        SELECT r.tenant_id, r.id FROM runs r JOIN due USING (tenant_id, id)
        WHERE (r.status = 'queued' AND r.due_at <= clock_timestamp())
           OR (r.status = 'running' AND r.lease_until < clock_timestamp())
           OR (r.status = 'waiting' AND r.due_at <= clock_timestamp())
        ORDER BY due.place, due.due_at LIMIT most
        FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE runs r SET status = 'running', waiting_for = NULL, lease_token = gen_random_uuid(), claims = r.claims + 1,
        lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
    FROM mine WHERE r.tenant_id = mine.tenant_id AND r.id = mine.id
    RETURNING r.tenant_id, r.id, r.lease_token
$$;

-- What the sweeps have to look at: company and id, nothing else.
CREATE FUNCTION door_due(what text, most integer) RETURNS TABLE (tenant_id uuid, id uuid)
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
$$;

-- The chain. The lock on the head is taken here, so a journal entry comes last in its transaction.
CREATE FUNCTION journal_chain() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE head journal_heads%ROWTYPE;
BEGIN
    INSERT INTO journal_heads (tenant_id, position, hash) VALUES (NEW.tenant_id, 0, '\x'::bytea) ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM journal_heads h WHERE h.tenant_id = NEW.tenant_id FOR UPDATE;
    NEW.position := head.position + 1;
    NEW.at := date_trunc('milliseconds', clock_timestamp());
    NEW.previous_hash := head.hash;
    NEW.facts := COALESCE(NEW.facts, '{}'::jsonb);
    NEW.hash := sha256(NEW.previous_hash || convert_to(concat_ws(E'\x1f', NEW.tenant_id, NEW.position,
        to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), NEW.id, NEW.event,
        COALESCE(NEW.by_user::text, ''), COALESCE(NEW.by_agent::text, ''), COALESCE(NEW.about::text, ''),
        COALESCE(NEW.agent_id::text, ''), NEW.facts::text), 'UTF8'));
    UPDATE journal_heads h SET position = NEW.position, hash = NEW.hash WHERE h.tenant_id = NEW.tenant_id;
    RETURN NEW;
END $$;

CREATE FUNCTION journal_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the journal only grows' USING ERRCODE = 'insufficient_privilege';
END $$;

-- What is to happen once a change is committed: the workers and the pages hear of it (opaque ids only).
CREATE FUNCTION run_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'queued' THEN PERFORM pg_notify('placet_runs', ''); END IF;
    PERFORM pg_notify('placet_pages', NEW.tenant_id::text);
    RETURN NULL;
END $$;
CREATE FUNCTION page_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('placet_pages', NEW.tenant_id::text);
    RETURN NULL;
END $$;

GRANT CREATE ON SCHEMA public TO placet_door;
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['door_sign_in(text)', 'door_sign_in_attempt(text)', 'door_session(bytea)',
        'door_mailbox(text)', 'door_claim_runs(integer, integer)', 'door_due(text, integer)', 'journal_chain()'] LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
        EXECUTE format('ALTER FUNCTION %s OWNER TO placet_door', name);
    END LOOP;
END $$;
REVOKE CREATE ON SCHEMA public FROM placet_door;
SET ROLE placet_door;
GRANT EXECUTE ON FUNCTION door_sign_in(text), door_sign_in_attempt(text), door_session(bytea) TO placet_web;
GRANT EXECUTE ON FUNCTION door_mailbox(text), door_claim_runs(integer, integer), door_due(text, integer) TO placet_worker;
RESET ROLE;

CREATE TRIGGER chain BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION journal_chain();
CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE ON journal FOR EACH ROW EXECUTE FUNCTION journal_only_grows();
CREATE TRIGGER only_grows_too BEFORE TRUNCATE ON journal FOR EACH STATEMENT EXECUTE FUNCTION journal_only_grows();
ALTER TABLE journal ENABLE ALWAYS TRIGGER chain;
ALTER TABLE journal ENABLE ALWAYS TRIGGER only_grows;
ALTER TABLE journal ENABLE ALWAYS TRIGGER only_grows_too;
CREATE TRIGGER is_due AFTER INSERT OR UPDATE OF status ON runs FOR EACH ROW EXECUTE FUNCTION run_is_due();
CREATE TRIGGER page_changed AFTER INSERT OR UPDATE OF status ON approvals FOR EACH ROW EXECUTE FUNCTION page_changed();
CREATE TRIGGER page_changed AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION page_changed();
GRANT SELECT ON alembic_version TO placet_web, placet_worker, placet_operator;
