"""Topics of a repository, glued together by copying, taken apart again.

``metalvulkancompilertensoropencl`` is five topics. The model is a unigram one:
each topic of the vocabulary costs the negative logarithm of its share, and the
cheapest way through the text wins (Viterbi). Not all topics are in any
vocabulary, so a topic may also be made of words that topics are made of, joined
by hyphens (``kubectl-plugins``), and a stretch that nothing explains costs by
its length and is kept whole.

The vocabulary (``data/topics.txt``, see ``data/SOURCES.md``) holds a topic a
line with how often the sources name it, 1 where nothing stands.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Final

_DATA: Final = Path(__file__).parent / "data" / "topics.txt"
_PLAIN: Final = re.compile(r"[a-z0-9-]+")
_LONGEST: Final = 50
_LONGEST_TEXT: Final = 2_000
"""GitHub allows 20 topics of 50 letters: anything longer is something else."""

_LETTER: Final = 3.0
"""The cost of a letter that nothing explains."""
_UNKNOWN: Final = 4.0
"""The cost of beginning a word that nothing explains."""
_COMPOSED: Final = 5.0
"""The cost of a topic that is not in the vocabulary though its words are."""
_NOWHERE: Final = float("inf")
_SHORT: Final = {1: 7.0, 2: 3.0, 3: 1.0}
"""Very short topics are seldom, and their letters are everywhere."""


class TopicSplitter:
    """The model over one vocabulary: topics and how often each is named."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        counts = {topic: count + 0.5 for topic, count in vocabulary.items()}
        total = sum(counts.values())
        self.topics: Final = {
            topic: log(total / count) + _SHORT.get(len(topic), 0.0)
            for topic, count in counts.items()
        }
        words: dict[str, float] = {}
        for topic, count in counts.items():
            for word in filter(None, topic.split("-")):
                words[word] = words.get(word, 0.0) + 1 + log(count + 1)
        total = sum(words.values())
        self.words: Final = {
            word: log(total / count) + _SHORT.get(len(word), 0.0) for word, count in words.items()
        }

    def split(self, glued: str) -> tuple[str, ...]:
        """The topics in ``glued``, in order; together they are ``glued`` again."""
        if not _PLAIN.fullmatch(glued) or len(glued) > _LONGEST_TEXT:
            return (glued,)
        paths = _Paths(glued)
        for start in range(len(glued)):
            if paths.cost(start, inside=False) < _NOWHERE:
                self._known_topics(paths, start)
            for inside in (False, True):
                if paths.cost(start, inside=inside) < _NOWHERE:
                    self._words(paths, start, inside=inside)
        return paths.topics()

    def _known_topics(self, paths: "_Paths", start: int) -> None:
        text = paths.text
        for end in range(start + 1, min(len(text), start + _LONGEST) + 1):
            cost = self.topics.get(text[start:end])
            if cost is not None and not text.startswith("-", end):
                paths.reach(start, end, cost, inside=False)

    def _words(self, paths: "_Paths", start: int, *, inside: bool) -> None:
        text = paths.text
        hyphen = text.find("-", start)
        stop = min(len(text) if hyphen == -1 else hyphen, start + _LONGEST)
        for end in range(start + 1, stop + 1):
            strange = _UNKNOWN + _LETTER * (end - start)
            cost = min(strange, self.words.get(text[start:end], strange))
            paths.reach(start, end, cost if inside else cost + _COMPOSED, inside=inside)


class _Paths:
    """The cheapest way to each position of the text, between topics and inside one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._costs = [[_NOWHERE, _NOWHERE] for _ in range(len(text) + 1)]
        self._origins = [[(0, 0), (0, 0)] for _ in range(len(text) + 1)]
        self._costs[0][0] = 0.0

    def cost(self, position: int, *, inside: bool) -> float:
        return self._costs[position][inside]

    def reach(self, start: int, end: int, cost: float, *, inside: bool) -> None:
        """A word or topic from ``start`` to ``end``; a hyphen after it leads on inside a topic."""
        cost += self._costs[start][inside]
        hyphen = self.text.startswith("-", end)
        target = end + 1 if hyphen else end
        if cost < self._costs[target][hyphen]:
            self._costs[target][hyphen] = cost
            self._origins[target][hyphen] = (start, int(inside))

    def topics(self) -> tuple[str, ...]:
        position, inside = len(self.text), 0
        if self._costs[position][0] == _NOWHERE:
            return (self.text,)
        cuts = [position]
        while position:
            position, inside = self._origins[position][inside]
            if not inside:
                cuts.append(position)
        cuts.reverse()
        return tuple(self.text[start:end] for start, end in pairwise(cuts))


def read_vocabulary(lines: Iterable[str]) -> dict[str, int]:
    """Topics and counts from lines of ``topic`` or ``topic<TAB>count``."""
    vocabulary = {}
    for line in lines:
        topic, _, count = line.rstrip("\n").partition("\t")
        if topic:
            vocabulary[topic] = int(count or 1)
    return vocabulary


@cache
def vocabulary() -> Mapping[str, int]:
    """The vocabulary carried as data; read once, when first needed."""
    with _DATA.open(encoding="utf-8") as file:
        return read_vocabulary(file)


@cache
def _splitter() -> TopicSplitter:
    return TopicSplitter(vocabulary())


def split_topics(glued: str) -> tuple[str, ...]:
    """The topics in ``glued``; what cannot be split is kept whole.

    >>> split_topics("metalvulkancompilertensoropencl")
    ('metal', 'vulkan', 'compiler', 'tensor', 'opencl')
    """
    return _splitter().split(glued)


def is_topic(text: str) -> bool:
    """Whether ``text`` is a topic of the vocabulary."""
    return text in vocabulary()
