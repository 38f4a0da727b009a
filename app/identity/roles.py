"""Who may do what? One table of permissions by role; every route names one of them."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from app.errors import NotAllowed
from app.identity.models import Role


class Permission(StrEnum):
    """Something that a person may do in a company."""

    SEE_INBOX = "see_inbox"
    DECIDE = "decide"  # requests of an employee; a manager for theirs only
    SEE_EMPLOYEES = "see_employees"
    TALK = "talk"  # give tasks, write in one's own conversations
    READ_CONVERSATIONS = "read_conversations"  # a manager those of their employees; a member those they started
    PAUSE = "pause"
    CHANGE_JOB_SHEET = "change_job_sheet"
    HIRE = "hire"
    SEE_JOURNAL = "see_journal"
    OWN_SETTINGS = "own_settings"
    COMPANY_SETTINGS = "company_settings"
    TOOL_SERVERS = "tool_servers"


_EVERYBODY = frozenset({Permission.SEE_INBOX, Permission.SEE_EMPLOYEES, Permission.TALK, Permission.OWN_SETTINGS})
_MANAGER = _EVERYBODY | {
    Permission.DECIDE,
    Permission.READ_CONVERSATIONS,
    Permission.PAUSE,
    Permission.CHANGE_JOB_SHEET,
    Permission.SEE_JOURNAL,
}
PERMISSIONS: dict[Role, frozenset[Permission]] = {
    Role.MEMBER: _EVERYBODY,
    Role.MANAGER: frozenset(_MANAGER),
    # An admin decides for every employee; settings are no right to read everybody's conversations (DESIGN 6),
    # but whoever decides must see what about: so requests show an admin their own context.
    Role.ADMIN: frozenset(_MANAGER | {Permission.HIRE, Permission.COMPANY_SETTINGS, Permission.TOOL_SERVERS}),
}


@dataclass(frozen=True)
class Member:
    """A person as a member of one company: what every verb checks."""

    tenant_id: UUID
    user_id: UUID
    name: str
    role: Role
    manages: frozenset[UUID] = frozenset()
    language: str = "en"
    time_zone: str = "Europe/Paris"

    def may(self, permission: Permission) -> bool:
        """Does this person's role carry the permission at all?"""
        return permission in PERMISSIONS[self.role]

    def decides_for(self, agent_id: UUID) -> bool:
        """Managers decide for the employees that are theirs, admins for all."""
        return self.role is Role.ADMIN or (self.role is Role.MANAGER and agent_id in self.manages)

    def may_for(self, permission: Permission, agent_id: UUID) -> bool:
        """Does the role carry the permission, and is this one of the employees that it is carried for?"""
        return self.may(permission) and self.decides_for(agent_id)

    def reads(self, agent_id: UUID, started_by: UUID | None) -> bool:
        """Conversations belong to the people in them and to the employee's managers; an admin decides, so reads too."""
        return started_by == self.user_id or self.decides_for(agent_id)

    def require(self, permission: Permission) -> None:
        """Raises NotAllowed where the role does not carry the permission."""
        if not self.may(permission):
            raise NotAllowed
