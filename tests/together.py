"""Which tests run in one process, one after another? Those that share what is dear to start, or may not be shared.

By folder or file, not by the `xdist_group` mark: pytest-xdist 3.8 writes groups into an attribute that pytest 9.2 no
longer reads, so that marks are ignored without a word.
"""

from xdist.scheduler import LoadScopeScheduling

TOGETHER = {
    "tests/cli/test_demo.py": "demo",
    "tests/cli/test_installation.py": "installation",  # passwords of roles are the whole server's
    "tests/database/test_migrations.py": "installation",
    "tests/faults/test_kills.py": "kills",
    "tests/faults/": "faults",  # a PostgreSQL of their own
    "tests/house/test_tenant_tables.py": "house database",
    "tests/house/test_keys_across_companies.py": "house database",
    "tests/house/test_journal_only_grows.py": "house database",
    "tests/house/test_operator_reads_metadata.py": "house database",
    "tests/mutations/test_policy.py": "mutations of rules",
    "tests/mutations/test_promises.py": "mutations of promises",
    "tests/mutations/test_tools.py": "mutations of tools",
    "tests/mutations/test_totals.py": "mutations of totals",
}


def group_of(nodeid: str) -> str | None:
    """The group of a test, by where it is; None where it may run anywhere."""
    return next((group for place, group in TOGETHER.items() if nodeid.startswith(place)), None)


class Together(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Hands out single tests, and these groups as wholes: the largest first."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid) or nodeid
