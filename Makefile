# Two commands: `make run` starts the bot, `make test` proves it.
# Nothing but Python 3.11 or newer (with venv), make and a package index is needed.

VENV   := .venv
PYTHON := $(VENV)/bin/python

.PHONY: run test lint coverage bench bench-peers bench-quality campaign clean

run: $(VENV)/.run
	@exec $(PYTHON) -m bot run

# What is compiled is kept, whatever the shell says: the tests start the program a hundred times.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/.test lint
	$(PYTHON) -m pytest -n 2 --dist loadgroup

lint: $(VENV)/.test
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

# Which branches the tests take, child processes included; slower than the tests alone.
coverage: $(VENV)/.test
	@$(PYTHON) -m coverage erase
	$(PYTHON) -m coverage run -m pytest -n 2 --dist loadgroup -q
	@$(PYTHON) -m coverage combine --quiet
	$(PYTHON) -m coverage report --skip-covered

# Figures, not tests: how soon 60 commands at once are acknowledged, and what questions cost among
# 100,000 invented people, whom it takes some minutes to make the first time.
bench: $(VENV)/.test
	$(PYTHON) -m tests.bench_acknowledge
	$(PYTHON) -m tests.bench_search

# The same questions at tantivy, PostgreSQL and FTS5, which are installed for this alone.
# BENCH_PROFILES=1000000 asks among so many people, ONLY=names,conditions asks some groups alone.
bench-peers: $(VENV)/.bench
	$(PYTHON) -m tests.bench_peers

# How good the order of answers is, over judged questions, beside what SQLite alone gives.
bench-quality: $(VENV)/.test
	$(PYTHON) -m tests.bench_quality

# What docs/reliability.md claims, done again at full length: hours. One part: see tests/campaign.py.
campaign: $(VENV)/.test
	$(PYTHON) -m tests.campaign all

$(VENV)/.run: requirements.txt | $(VENV)/bin/python
	@$(LOCKED); [ $@ -nt $< ] && exit 0; \
	echo "Installing what the bot needs (once; about a minute) ..."; \
	$(INSTALL) && touch $@

$(VENV)/.test: requirements-test.txt | $(VENV)/bin/python
	@$(LOCKED); [ $@ -nt $< ] && exit 0; \
	echo "Installing what the tests need (once; about two minutes) ..."; \
	$(INSTALL) && touch $@ $(VENV)/.run

$(VENV)/.bench: requirements-bench.txt | $(VENV)/.test
	@$(LOCKED); [ $@ -nt $< ] && exit 0; \
	echo "Installing what the comparison needs (once; about a minute) ..."; \
	$(INSTALL) && touch $@

# The first Python on the path that is new enough and can make virtual environments.
$(VENV)/bin/python:
	@$(LOCKED); [ -x $@ ] && exit 0; \
	for python in $${PYTHON3:-python3 python3.14 python3.13 python3.12 python3.11}; do \
	  this=$$("$$python" --version 2>/dev/null || echo "no $$python"); found="$${found:-$$this}"; \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    if ! "$$python" -c 'import venv, ensurepip' 2>/dev/null; then \
	      echo "Python's venv module is missing: install it (Debian and Ubuntu: apt install python3-venv), then try again." >&2; exit 1; \
	    fi; \
	    rm -rf $(VENV) && "$$python" -m venv $(VENV) && exit 0; \
	    rm -rf $(VENV); \
	    echo "No virtual environment could be made in $(VENV): see the message above." >&2; exit 1; \
	  fi; \
	done; \
	echo "Candidate Bot needs Python 3.11 or newer; found $$found. Install one, or name it: make run PYTHON3=/path/to/python3.12" >&2; exit 1

# One make at a time installs; the others wait. The lock is a link whose target is the number of
# the process that holds it, so that making it says whose it is; of a dead one it is taken over.
LOCK := $(VENV).lock
define LOCKED
trap 'exit 130' INT; trap 'exit 143' TERM HUP; \
until ln -s "$$$$" $(LOCK) 2>/dev/null; do \
  holder=$$(readlink $(LOCK)); \
  if [ ! -w . ]; then echo "Nothing can be installed here: this folder may not be written to." >&2; exit 1; fi; \
  if [ -n "$$holder" ] && ! kill -0 "$$holder" 2>/dev/null && [ ! -d "/proc/$$holder" ]; then \
    mv $(LOCK) "$(LOCK).$$$$" 2>/dev/null; \
    if [ "$$(readlink "$(LOCK).$$$$")" = "$$holder" ]; then rm -f "$(LOCK).$$$$"; else mv "$(LOCK).$$$$" $(LOCK) 2>/dev/null; fi; \
    continue; \
  fi; \
  if [ -z "$$told" ]; then told=yes; echo "Another make (process $$holder) is installing in $(VENV): waiting for it. If there is none, remove $(LOCK)." >&2; fi; \
  sleep 1; \
done; \
trap 'rm -f $(LOCK)' EXIT
endef

# Heals an environment whose making was broken off before it had pip.
define INSTALL
if ! { $(PYTHON) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m ensurepip >/dev/null; } || \
   ! $(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes -r $<; then \
  echo "Installing failed: pip says why above. If it reached no package index, connect this machine or name yours (PIP_INDEX_URL=https://... make run), then try again." >&2; exit 1; \
fi
endef

clean:
	rm -rf $(VENV) $(LOCK) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* .import_linter_cache
