"""Work of several threads shares a turn; each hears how its own ended."""

import threading
from collections.abc import Sequence

import pytest

from storage.together import Together

PATIENCE = 10


def test_who_comes_while_one_works_shares_the_next_turn():
    begun, go_on = threading.Event(), threading.Event()
    batches: list[list[int]] = []

    def work(items: Sequence[int]) -> Sequence[int]:
        batches.append(list(items))
        begun.set()
        assert go_on.wait(PATIENCE)
        return items

    together = Together(work)
    threads = [threading.Thread(target=together.do, args=[number]) for number in range(5)]
    threads[0].start()
    assert begun.wait(PATIENCE)
    for each in threads[1:]:
        each.start()
    while len(together._waiting) < 4:
        pass
    go_on.set()
    for each in threads:
        each.join(PATIENCE)
    assert batches[0] == [0]
    assert sorted(batches[1]) == [1, 2, 3, 4]
    assert len(batches) == 2


def test_a_failure_is_heard_by_all_who_shared_it_and_by_nobody_after():
    begun, go_on = threading.Event(), threading.Event()
    failing = threading.Event()
    heard: dict[int, str] = {}

    def work(items: Sequence[int]) -> Sequence[int]:
        begun.set()
        assert go_on.wait(PATIENCE)
        if failing.is_set():
            raise ValueError("the disk is full")
        return items

    together = Together(work)

    def bring(number: int) -> None:
        try:
            together.do(number)
        except ValueError as error:
            heard[number] = str(error)

    threads = [threading.Thread(target=bring, args=[number]) for number in range(4)]
    threads[0].start()
    assert begun.wait(PATIENCE)
    for each in threads[1:]:
        each.start()
    while len(together._waiting) < 3:
        pass
    go_on.set()
    threads[0].join(PATIENCE)
    for each in threads[1:]:
        each.join(PATIENCE)
    assert heard == {}
    failing.set()
    with pytest.raises(ValueError, match="disk is full"):
        together.do(9)
    failing.clear()
    together.do(10)


def test_each_of_many_threads_is_done_exactly_once():
    done: list[int] = []
    heard: list[int] = []

    def work(items: Sequence[int]) -> Sequence[int]:
        done.extend(items)
        return [-item for item in items]

    together = Together(work)
    threads = [
        threading.Thread(
            target=lambda first=first: heard.extend(map(together.do, range(first, first + 50)))
        )
        for first in range(0, 400, 50)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert sorted(done) == [*range(400)]
    assert sorted(-each for each in heard) == [*range(400)], "each hears its own result"
