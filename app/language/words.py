"""How are our own identifiers said? Modes, kinds, rules, statuses and ends, by their sentence in the policy's words."""

from app.identity.models import Role
from app.language.speech import N_, Speech
from app.policy.decision import Kind, Mode, Step
from app.policy.words import KINDS, MODES, RULES, said
from app.runs.states import End, RunStatus, WaitingFor

ROLES: dict[Role, str] = {
    Role.ADMIN: N_("administrator"),
    Role.MANAGER: N_("manager"),
    Role.MEMBER: N_("member"),
}
STATES: dict[RunStatus, str] = {
    RunStatus.QUEUED: N_("About to begin"),
    RunStatus.RUNNING: N_("At work"),
    RunStatus.WAITING: N_("Waiting"),
    RunStatus.DONE: N_("Done"),
    RunStatus.STOPPED: N_("Stopped at a limit"),
    RunStatus.FAILED: N_("Could not be finished"),
    RunStatus.CANCELLED: N_("Ended by a person"),
}
WAITS: dict[WaitingFor, str] = {
    WaitingFor.PERSON: N_("Waiting for an answer"),
    WaitingFor.BUDGET: N_("Waiting for money: this month’s budget is used up"),
    WaitingFor.MODEL: N_("Waiting for the AI service, which does not answer"),
    WaitingFor.UNCERTAIN: N_("Waiting for somebody to look whether something happened"),
}
ENDS: dict[End, str] = {
    End.ANSWERED: N_("The task was finished."),
    End.STEP_LIMIT: N_("It had used all the steps that a task may take."),
    End.ERRORS_IN_A_ROW: N_("Several attempts in a row failed."),
    End.TOKEN_LIMIT: N_("It had read and written as much as a task may."),
    End.MONEY_LIMIT: N_("It had cost as much as a task may."),
    End.TIME_LIMIT: N_("It had worked as long as a task may."),
    End.TOO_OLD: N_("It was 30 days old."),
    End.TRUNCATED: N_("An answer was cut off twice because it was too long."),
    End.CONTEXT_FULL: N_("There was more to read than fits into one task."),
    End.MODEL_REFUSED: N_("The AI model declined to go on."),
    End.MODEL_UNREADABLE: N_("The AI model’s answer could not be understood."),
    End.MODEL_UNREACHABLE: N_("The AI service could not be reached for 24 hours."),
    End.REQUEST_INVALID: N_("The AI service refused what we sent."),
    End.WRONG_KEY: N_("The AI service does not accept the company’s key."),
    End.BROKE: N_("Something broke on our side."),
    End.CANCELLED: N_("A person ended it."),
    End.DISMISSED: N_("The employee no longer works here."),
}


def mode_word(speech: Speech, mode: str) -> str:
    """ "asks first" """
    return speech.say(MODES[Mode(mode)])


def kind_word(speech: Speech, kind: Kind) -> str:
    """ "acts outside" """
    return speech.say(KINDS[kind])


def rule_sentence(speech: Speech, rule: str | Step) -> str:
    """Why a rule applied; of a whole step, the sentence that knows the most."""
    if isinstance(rule, Step):
        known = said(rule)
        return speech.say(known.sentence, known.facts)
    return speech.say(RULES[rule])


def state_sentence(speech: Speech, status: RunStatus, waiting_for: WaitingFor | None) -> str:
    """Where a task is; a waiting one says for what."""
    return speech.say(STATES[status] if waiting_for is None else WAITS[waiting_for])
