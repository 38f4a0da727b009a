-- What a company entered to reach other services, and servers with tools of somebody else's making.

CREATE TABLE connections (
    connector TEXT NOT NULL,
    name TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    entered_by UUID NOT NULL,
    entered_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    tried_at TIMESTAMP WITH TIME ZONE,
    works BOOLEAN,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_connections PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_connections_tenant_id_connector_name UNIQUE (tenant_id, connector, name),
    CONSTRAINT fk_connections_tenant_id_entered_by FOREIGN KEY(tenant_id, entered_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_connections_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE TABLE tool_servers (
    name TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    added_by UUID NOT NULL,
    added_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    looked_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
    removed_at TIMESTAMP WITH TIME ZONE,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_tool_servers PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_tool_servers_tenant_id_added_by FOREIGN KEY(tenant_id, added_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_tool_servers_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

CREATE UNIQUE INDEX uq_tool_servers_name ON tool_servers (tenant_id, name) WHERE removed_at IS NULL;

CREATE TABLE foreign_tools (
    server_id UUID NOT NULL,
    name TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    mark TEXT NOT NULL,
    kind VARCHAR(40) NOT NULL,
    reason TEXT NOT NULL,
    reviewed_mark TEXT,
    reviewed_by UUID,
    reviewed_at TIMESTAMP WITH TIME ZONE,
    changed_at TIMESTAMP WITH TIME ZONE,
    gone_at TIMESTAMP WITH TIME ZONE,
    tenant_id UUID NOT NULL,
    id UUID NOT NULL,
    CONSTRAINT pk_foreign_tools PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_foreign_tools_tenant_id_server_id FOREIGN KEY(tenant_id, server_id) REFERENCES tool_servers (tenant_id, id),
    CONSTRAINT uq_foreign_tools_tenant_id_server_id_name UNIQUE (tenant_id, server_id, name),
    CONSTRAINT ck_foreign_tools_kind CHECK (kind IN ('read', 'organize', 'draft', 'act', 'delete')),
    CONSTRAINT fk_foreign_tools_tenant_id_reviewed_by FOREIGN KEY(tenant_id, reviewed_by) REFERENCES memberships (tenant_id, user_id),
    CONSTRAINT fk_foreign_tools_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id)
);

DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['connections', 'tool_servers', 'foreign_tools'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_tenant ON %I TO placet_web, placet_worker, %I
            USING (tenant_id = bound_tenant()) WITH CHECK (tenant_id = bound_tenant())', name, current_user);
    END LOOP;
END $$;

-- People enter, confirm and remove; a removed key is gone from its table.
GRANT SELECT, INSERT, UPDATE, DELETE ON connections TO placet_web;
GRANT SELECT, INSERT, UPDATE ON tool_servers, foreign_tools TO placet_web;
-- A worker reads, and may hold a tool back; it never confirms one or says that it is milder.
GRANT SELECT ON connections, tool_servers, foreign_tools TO placet_worker;
GRANT UPDATE (changed_at) ON foreign_tools TO placet_worker;
