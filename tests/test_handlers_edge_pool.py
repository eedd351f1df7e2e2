"""The bounded pool: taken or refused at once, drained in time, never brought down by its work."""

import threading
import time

from structlog.testing import capture_logs

from handlers.edge.pool import Pool


def test_work_beyond_the_room_is_refused_at_once():
    pool, free = Pool(workers=1, waiting=1), threading.Event()
    assert [pool.take(free.wait) for _ in range(3)] == [True, True, False]
    free.set()
    assert pool.drain(5)


def test_draining_finishes_what_was_taken_and_takes_no_more():
    pool, done = Pool(workers=2, waiting=5), []
    for number in range(5):
        pool.take(lambda number=number: (time.sleep(0.01), done.append(number)))
    assert pool.drain(5)
    assert sorted(done) == [0, 1, 2, 3, 4]
    assert not pool.take(lambda: None)


def test_draining_gives_up_when_the_time_is_over():
    pool, free = Pool(workers=1, waiting=1), threading.Event()
    pool.take(free.wait)
    assert not pool.drain(0.05)
    assert pool.unfinished == 1
    free.set()


def test_work_that_raises_is_logged_without_its_words_and_the_pool_goes_on():
    pool, after = Pool(workers=1), threading.Event()
    with capture_logs() as logs:
        pool.take(lambda: {}["Chenggang Zhao"])
        pool.take(after.set)
        assert after.wait(5)
        assert pool.drain(5)
    assert logs[0]["error"] == "KeyError"
    assert "Chenggang" not in str(logs)
