"""PostgreSQL itself keeps companies apart: its catalog says so for every table (promise 9, RELIABILITY R15)."""

from uuid import UUID

import pytest

from app.database.engine import DatabaseRole
from tests.house.conftest import Connect
from tests.house.rows import TENANT_TABLES

OPEN_TO_ALL = {"alembic_version"}  # holds a version number
DOORS = {
    "door_sign_in": {"placet_web"},
    "door_sign_in_attempt": {"placet_web"},
    "door_session": {"placet_web"},
    "door_mailbox": {"placet_worker"},
    "door_claim_runs": {"placet_worker"},
    "door_due": {"placet_worker"},
    "journal_chain": set(),  # a trigger: nobody calls it
}
PROCESSES = ("placet_web", "placet_worker", "placet_operator")


@pytest.fixture
def ask(connect: Connect):
    """Ask the catalog, as the owner of the tables."""
    connection = connect(DatabaseRole.OWNER)
    return lambda question, *values: connection.execute(question, values).fetchall()


def test_every_table_is_guarded_even_from_its_owner(ask) -> None:
    open_tables = ask(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
        " AND NOT (relrowsecurity AND relforcerowsecurity)"
    )
    assert {name for (name,) in open_tables} == OPEN_TO_ALL


@pytest.mark.parametrize("table", [table.name for table in TENANT_TABLES])
def test_every_table_of_companies_shows_and_takes_rows_of_the_bound_one_only(ask, table: str) -> None:
    rules = ask(
        "SELECT pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid),"
        " (SELECT array_agg(rolname::text) FROM pg_roles WHERE oid = ANY (polroles))"
        " FROM pg_policy WHERE polrelid = %s::regclass AND polname = 'of_tenant' AND polcmd = '*' AND polpermissive",
        table,
    )
    ((seen, taken, roles),) = rules
    assert seen == taken == "(tenant_id = bound_tenant())"
    assert set(roles) == {"placet_web", "placet_worker", "placet_owner"}


def test_no_other_rule_lets_pages_and_workers_see_more(ask) -> None:
    more = ask(
        "SELECT tablename, policyname FROM pg_policies WHERE schemaname = 'public' AND permissive = 'PERMISSIVE'"
        " AND policyname <> 'of_tenant' AND roles && ARRAY['placet_web', 'placet_worker', 'public']::name[]"
    )
    assert more == [("users", "colleagues")]


def test_the_rules_of_the_doors_hold_inside_the_doors_only(ask) -> None:
    """The owner of the tables is a member of their role."""
    rules = ask("SELECT DISTINCT qual, COALESCE(with_check, qual) FROM pg_policies WHERE policyname = 'door'")
    assert rules == [("(CURRENT_USER = 'placet_door'::name)", "(CURRENT_USER = 'placet_door'::name)")]


def test_nothing_walks_round_the_rules(ask) -> None:
    views = ask(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = ANY ('{v,m,f}')"
    )
    assert views == []
    definers = ask("SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef")
    assert {name for (name,) in definers} == set(DOORS)


@pytest.mark.parametrize("door", DOORS)
def test_a_door_is_narrow(ask, door: str) -> None:
    ((owner, login, settings, everybody),) = ask(
        "SELECT rolname, rolcanlogin, proconfig, has_function_privilege('public', p.oid, 'EXECUTE')"
        " FROM pg_proc p JOIN pg_roles r ON r.oid = proowner WHERE proname = %s",
        door,
    )
    assert (owner, login, settings, everybody) == ("placet_door", False, ["search_path=pg_catalog, public"], False)
    may = ask(
        "SELECT rolname FROM pg_roles WHERE rolname = ANY (%s)"
        " AND has_function_privilege(oid, (SELECT oid FROM pg_proc WHERE proname = %s), 'EXECUTE')",
        list(PROCESSES),
        door,
    )
    assert {name for (name,) in may} == DOORS[door]


@pytest.mark.parametrize("role", PROCESSES)
def test_no_process_is_more_than_its_role(ask, role: str) -> None:
    ((more,),) = ask(
        "SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication FROM pg_roles"
        " WHERE rolname = %s",
        role,
    )
    memberships = ask("SELECT roleid::regrole::text FROM pg_auth_members WHERE member = %s::regrole", role)
    assert (more, memberships) == (False, [])


def test_nobody_may_truncate_and_everybody_has_no_rights(ask) -> None:
    """TRUNCATE knows no policies."""
    wrong = ask(
        "SELECT grantee, table_name, privilege_type FROM information_schema.role_table_grants"
        " WHERE table_schema = 'public'"
        " AND (grantee = 'PUBLIC' OR privilege_type IN ('TRUNCATE', 'TRIGGER', 'REFERENCES') AND grantee = ANY (%s))",
        list(PROCESSES),
    )
    assert wrong == []


@pytest.mark.parametrize("role", [DatabaseRole.WEB, DatabaseRole.WORKER, DatabaseRole.OWNER])
def test_one_company_sees_nothing_of_another_and_nobody_sees_all(
    connect: Connect, planted: dict[str, UUID], role: DatabaseRole
) -> None:
    bound, unbound = connect(role, planted["B"]), connect(role)
    seen = 0
    for table in TENANT_TABLES:
        if not readable(bound, table.name):
            continue
        rows = bound.execute(f"SELECT tenant_id FROM {table.name}").fetchall()  # the name is ours
        assert {tenant for (tenant,) in rows} == {planted["B"]}, table.name
        assert unbound.execute(f"SELECT count(*) FROM {table.name}").fetchone() == (0,), table.name
        seen += 1
    assert seen > 15


def readable(connection, table: str) -> bool:
    (may,) = connection.execute("SELECT has_table_privilege(%s, 'SELECT')", (table,)).fetchone()
    return bool(may)
