"""What is written in the journal? The names of its events, each with its sentence for people."""

from enum import StrEnum

from app.policy.words import N_


class Event(StrEnum):
    """Names are data: stored, translated, shown, never renamed without a migration."""

    COMPANY_CREATED = "company.created"
    SIGNED_IN = "person.signed_in"
    SIGNED_OUT = "person.signed_out"
    EMPLOYEE_HIRED = "employee.hired"
    EMPLOYEE_REACHABLE = "employee.reachable"
    EMPLOYEE_PAUSED = "employee.paused"
    EMPLOYEE_RESUMED = "employee.resumed"
    JOB_SHEET_CHANGED = "job_sheet.changed"
    EXCEPTION_WITHDRAWN = "exception.withdrawn"
    TRIAL_ENDED = "trial.ended"
    TRIAL_EXTENDED = "trial.extended"
    TRIAL_OVER = "trial.over"
    TASK_GIVEN = "task.given"
    MESSAGE_SAID = "message.said"
    MAIL_ARRIVED = "mail.arrived"
    APPROVAL_ASKED = "approval.asked"
    APPROVAL_REMINDED = "approval.reminded"
    APPROVAL_APPROVED = "approval.approved"
    APPROVAL_CHANGED = "approval.changed"
    APPROVAL_REJECTED = "approval.rejected"
    APPROVAL_EXPIRED = "approval.expired"
    APPROVAL_WITHDRAWN = "approval.withdrawn"
    GRANT_GIVEN = "grant.given"
    GRANT_REVOKED = "grant.revoked"
    CALL_DONE = "call.done"
    CALL_FAILED = "call.failed"
    CALL_UNCERTAIN = "call.uncertain"
    CALL_SETTLED = "call.settled"
    CONNECTION_ENTERED = "connection.entered"
    CONNECTION_REPLACED = "connection.replaced"
    CONNECTION_REMOVED = "connection.removed"
    CONNECTION_TRIED = "connection.tried"
    LIMITS_CHANGED = "limits.changed"
    TOOL_SERVER_ADDED = "tool_server.added"
    TOOL_SERVER_REFRESHED = "tool_server.refreshed"
    TOOL_SERVER_REVIEWED = "tool_server.reviewed"
    TOOL_SERVER_REMOVED = "tool_server.removed"
    TOOL_KIND_CHANGED = "tool.kind_changed"
    TOOL_HELD_BACK = "tool.held_back"
    TASK_ENDED = "task.ended"
    TASK_CANCELLED = "task.cancelled"


# %(person)s and %(employee)s are names, %(tool)s what the call does in words; a page fills them in.
SENTENCES: dict[Event, str] = {
    Event.COMPANY_CREATED: N_("The company was set up"),
    Event.SIGNED_IN: N_("%(person)s signed in"),
    Event.SIGNED_OUT: N_("%(person)s signed out"),
    Event.EMPLOYEE_HIRED: N_("%(employee)s was hired, on trial"),
    Event.EMPLOYEE_REACHABLE: N_("%(employee)s was given a mail address"),
    Event.EMPLOYEE_PAUSED: N_("%(person)s paused %(employee)s"),
    Event.EMPLOYEE_RESUMED: N_("%(person)s let %(employee)s go on"),
    Event.JOB_SHEET_CHANGED: N_("%(person)s changed the job sheet of %(employee)s"),
    Event.EXCEPTION_WITHDRAWN: N_("%(person)s withdrew an exception of %(employee)s"),
    Event.TRIAL_ENDED: N_("%(person)s ended the trial of %(employee)s"),
    Event.TRIAL_EXTENDED: N_("%(person)s set another end for the trial of %(employee)s"),
    Event.TRIAL_OVER: N_("The trial of %(employee)s has come to its end; it goes on until somebody says so"),
    Event.TASK_GIVEN: N_("%(person)s gave %(employee)s a task"),
    Event.MESSAGE_SAID: N_("%(person)s wrote to %(employee)s"),
    Event.MAIL_ARRIVED: N_("A mail arrived for %(employee)s"),
    Event.APPROVAL_ASKED: N_("%(employee)s asked: %(tool)s"),
    Event.APPROVAL_REMINDED: N_("A reminder was prepared, as %(employee)s is waiting for an answer: %(tool)s"),
    Event.APPROVAL_APPROVED: N_("%(person)s approved: %(tool)s"),
    Event.APPROVAL_CHANGED: N_("%(person)s approved with changes: %(tool)s"),
    Event.APPROVAL_REJECTED: N_("%(person)s rejected: %(tool)s"),
    Event.APPROVAL_EXPIRED: N_("Nobody answered, so it was refused: %(tool)s"),
    Event.APPROVAL_WITHDRAWN: N_("A request no longer counts: %(tool)s"),
    Event.GRANT_GIVEN: N_("%(person)s said “always in this conversation”: %(tool)s"),
    Event.GRANT_REVOKED: N_("%(person)s took back an “always in this conversation”: %(tool)s"),
    Event.CALL_DONE: N_("%(employee)s did: %(tool)s"),
    Event.CALL_FAILED: N_("It did not work: %(tool)s"),
    Event.CALL_UNCERTAIN: N_("Nobody knows whether it happened: %(tool)s"),
    Event.CALL_SETTLED: N_("%(person)s said what happened: %(tool)s"),
    Event.CONNECTION_ENTERED: N_("%(person)s connected a service"),
    Event.CONNECTION_REPLACED: N_("%(person)s replaced the key or address of a service"),
    Event.CONNECTION_REMOVED: N_("%(person)s disconnected a service"),
    Event.LIMITS_CHANGED: N_("%(person)s changed what no employee of the company may do"),
    Event.CONNECTION_TRIED: N_("%(person)s tried a connection to a service"),
    Event.TOOL_SERVER_ADDED: N_("%(person)s added a service whose abilities others wrote"),
    Event.TOOL_SERVER_REFRESHED: N_("%(person)s asked a service again what it can do"),
    Event.TOOL_SERVER_REVIEWED: N_("%(person)s looked at what a service can do and confirmed it"),
    Event.TOOL_SERVER_REMOVED: N_("%(person)s removed a service"),
    Event.TOOL_KIND_CHANGED: N_("%(person)s said what kind of ability this is: %(tool)s"),
    Event.TOOL_HELD_BACK: N_("A service changed an ability, so it is held back: %(tool)s"),
    Event.TASK_ENDED: N_("%(employee)s ended a task"),
    Event.TASK_CANCELLED: N_("%(person)s ended a task of %(employee)s"),
}
