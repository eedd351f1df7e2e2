"""Habits of the house that no other tool checks."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("bot", "handlers", "storage")
SOURCES = sorted(path for name in PACKAGES for path in (PROJECT / name).rglob("*.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_owns_our_names(package):
    owners = importlib.metadata.packages_distributions().get(package, [])
    assert set(owners) <= {"candidate-bot"}


@pytest.mark.parametrize("path", [path for path in SOURCES if path.name == "__init__.py"], ids=str)
def test_a_package_is_a_docstring_and_imports_nothing(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    assert len(tree.body) == 1


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_every_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_no_module_has_a_name_that_means_nothing():
    empty = {"utils", "util", "helpers", "helper", "common", "manager", "service", "misc"}
    assert not [path for path in SOURCES if path.stem in empty]


def test_importing_does_nothing(tmp_path):
    """Engines, clients, apps and threads are made in the program, not on import."""
    modules = [
        ".".join(path.relative_to(PROJECT).with_suffix("").parts)
        for path in SOURCES
        if path.name not in {"__init__.py", "__main__.py"} and "versions" not in path.parts
    ]
    program = (
        "import sys, threading; sys.path.insert(0, sys.argv[1])\n"
        + "".join(f"import {module}\n" for module in modules)
        + "assert threading.active_count() == 1, threading.enumerate()\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(PROJECT)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == done.stderr == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_requirements_are_pinned_with_hashes_and_name_no_address(name):
    text = (PROJECT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    pins = re.findall(r"^[a-z0-9][^\s=]*==", text, re.MULTILINE)
    assert len(pins) > 20
    assert not re.search(r"^[a-z0-9][^\\\n]*$", text, re.MULTILINE), "a pin without hashes"


def test_every_dependency_is_pinned():
    """What pyproject.toml asks for is in the requirements files."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    for names, file in (
        (project["dependencies"], "requirements.txt"),
        (project["optional-dependencies"]["test"], "requirements-test.txt"),
    ):
        pinned = (PROJECT / file).read_text(encoding="utf-8")
        for requirement in names:
            name = re.split(r"[\[<>=]", requirement)[0]
            assert re.search(rf"^{re.escape(name)}==", pinned, re.MULTILINE), name


def tracked_texts():
    names = subprocess.run(
        ["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=False
    ).stdout.split("\n")
    for name in names:
        path = PROJECT / name
        if name and path.is_file() and path.suffix not in {".png", ".tsv"}:
            yield name, path.read_text(encoding="utf-8", errors="replace")


def test_the_repository_holds_no_secret_and_no_path_of_one_machine():
    hosts = "|".join(["py" + r"pi\.org", "python" + r"hosted\.", r"registry\.npm" + "js"])
    secret = r"xox[bp]-\d{6,}-\d{6,}-\w{20,}|-----BEGIN [A-Z ]*PRIVATE KEY"
    for name, text in tracked_texts():
        assert not re.search(hosts, text), name
        assert not re.search(secret, text), name
        assert not re.search(r"(?<![\w.])/(?:root|work|farm)/", text), name
