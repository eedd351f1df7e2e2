"""``similar NAME``: people who list most of somebody's telling skills."""

from bot.asking import searched
from handlers.features.command import ASKING, Command
from handlers.features.question import Question, names_somebody, one_person
from handlers.features.replies import Reply, done, which
from handlers.views.answer import render
from storage.search.tree import quoted


def run_similar(question: Question, rest: str) -> Reply:
    """The search that the command stands for, which can be edited: ``similar:NAME``."""
    person, others = one_person(question.store, rest)
    if person is None:
        return done(question.text, which(rest, others, "whom to compare with"))
    name = person.profile.name
    alone = '"' not in name and one_person(question.store, name)[0] == person
    text = f"similar:{quoted(name if alone else person.id)}"
    answer = searched(question.store, text, now=question.here)
    return Reply(answer, render(answer, question.setting))


SIMILAR = Command(
    word="similar",
    usage="similar NAME",
    group=ASKING,
    help="people who list most of somebody's telling skills; `similar:NAME` in a search",
    parses=names_somebody,
    run=run_similar,
)
