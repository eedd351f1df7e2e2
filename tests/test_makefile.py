"""``make run`` in a fresh clone: two at once, one that was broken off, and no package index.

Nothing is installed: the requirements of these clones are empty, or name what there is not.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
NOTHING = "# nothing\n"
LOCK = ".venv.lock"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def clone(tmp_path):
    """The Makefile, a package ``bot`` that says so and ends, and no virtual environment."""
    shutil.copy(PROJECT / "Makefile", tmp_path)
    (tmp_path / "requirements.txt").write_text(NOTHING)
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__main__.py").write_text("print('the bot ran')\n")
    return tmp_path


def make_run(clone, **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.Popen(
        ["make", "run", f"PYTHON3={sys.executable}"],
        cwd=clone,
        env={**kept, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def told(process):
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come about in time")


def is_locked(clone):
    return (clone / LOCK).is_symlink()


def test_two_at_once_install_one_after_the_other(clone):
    first = make_run(clone)
    until(lambda: is_locked(clone))
    second = make_run(clone)
    results = [told(first), told(second)]
    for status, out, err in results:
        assert (status, out.splitlines()[-1]) == (0, "the bot ran"), err
    assert sum(out.count("Installing") for _, out, _ in results) == 1
    assert "is installing in .venv: waiting for it" in results[1][2]
    assert not is_locked(clone)


def test_one_that_was_broken_off_is_mended_by_the_next(clone):
    """Killed in the middle of making the environment, with its lock left behind."""
    first = make_run(clone)
    until((clone / ".venv" / "bin" / "python").exists)
    os.killpg(first.pid, signal.SIGKILL)
    told(first)
    assert is_locked(clone)
    status, out, err = told(make_run(clone))
    assert (status, out.splitlines()[-1]) == (0, "the bot ran"), err
    assert not is_locked(clone)


def test_without_a_package_index_a_sentence_follows_pips(clone):
    (clone / "requirements.txt").write_text(f"no-such-thing==1 --hash=sha256:{'0' * 64}\n")
    nowhere = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "0",
    }
    status, out, err = told(make_run(clone, **nowhere))
    assert status != 0
    assert "the bot ran" not in out
    after_pip = err[err.rindex("ERROR: ") :].splitlines()[1]
    assert after_pip.startswith("Installing failed: pip says why above.")
    assert "PIP_INDEX_URL=" in after_pip
    assert not is_locked(clone)
