"""``compare NAME, NAME``: two to five people side by side."""

from bot.answers import ComparisonAnswer
from bot.comparing import FEWEST, MOST, compare
from handlers.features.command import ASKING, Command
from handlers.features.question import Question, names_several, one_person, parted
from handlers.features.replies import Reply, done, which
from handlers.views.answer import render
from storage.search.values import Hit


def run_compare(question: Question, rest: str) -> Reply:
    """The people side by side; where a name is of several, the ids to write instead."""
    found = {each: one_person(question.store, each) for each in parted(rest)}
    strangers = [name for name, (person, others) in found.items() if not (person or others)]
    if strangers:
        told = " and ".join(f"“{name}”" for name in strangers)
        return done(question.text, f"Nobody here is called {told}. Check how it is written.")
    for name, (person, others) in found.items():
        if person is None:
            return done(question.text, which(name, others, "whom to compare"))
    people = list({each.id: each for each, _ in found.values() if each is not None}.values())
    if len(people) < FEWEST:
        return done(question.text, f"These names all mean {people[0].profile.name}: name two.")
    if len(people) > MOST:
        return done(question.text, f"I compare at most {MOST} people at once. Leave some out.")
    answer = ComparisonAnswer(
        query=f"compare {', '.join(each.profile.name for each in people)}",
        hits=tuple(Hit(candidate=each, score=None, why=()) for each in people),
        comparison=compare(people),
    )
    return Reply(answer, render(answer, question.setting))


COMPARE = Command(
    word="compare",
    usage="compare NAME, NAME",
    group=ASKING,
    help="two to five people side by side",
    parses=names_several,
    run=run_compare,
)
