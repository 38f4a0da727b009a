"""Which scenario answers? By the model's name for tests; otherwise the first that knows what the task is about.

A scenario is a function from the conversation (`Talk`) to one turn (`Reply`). To write one: look at `talk.task` and
`talk.steps`, return `say(…)` or `Reply((Say(…), talk.use("tool", why=…, argument=…)))`, and add a line here.
"""

from collections.abc import Callable
from dataclasses import dataclass

from app.model.practice.reply import Reply, say
from app.model.practice.request import MessagesRequest
from app.model.practice.scenarios import catalogue_task, closing, customer_mail, obedient, scripted, task_in_words
from app.model.practice.talk import Talk, listen

OBEDIENT = "practice-obedient"
SCRIPTED = "practice-scripted"


@dataclass(frozen=True)
class Scenario:
    """When it applies, and what it does then."""

    applies: Callable[[Talk], bool]
    play: Callable[[Talk], Reply]


SCENARIOS = (
    Scenario(customer_mail.applies, customer_mail.play),
    Scenario(catalogue_task.applies, catalogue_task.play),
    Scenario(task_in_words.applies, task_in_words.play),
)


def reply_to(request: MessagesRequest) -> Reply:
    """The next turn of the practice model."""
    talk = listen(request)
    if talk.must_conclude:
        return say(closing.conclude(talk))
    if request.model == OBEDIENT:
        return obedient.play(request)
    if request.model == SCRIPTED:
        return scripted.play(request)
    return next(scenario for scenario in SCENARIOS if scenario.applies(talk)).play(talk)
