"""Pages of invented people, and a database that fails when told to."""

import sqlite3

from sqlalchemy.engine import make_url


def page(name, *, title="Engineer at Foo", place="Berlin, Germany"):
    return (
        f"{name}\n{title}\n{place}\nSummary\nA person.\n5 years of coding experience\n"
        "Github Skills (1)\npython10\nProgramming languages (1)\nGithub contributions (0)\n"
        "Find and Hire Top DevelopersWe’ve analyzed the programming source code of over 60 million "
        "software developers on GitHub and scored them by 50,000 skills. "
        "Sign-up on Prog,AI to search for software developers.\n"
    )


def fail_at(store_url, name, said):
    """From now on the database fails, as SQLite words it, when this person is to be stored."""
    database = sqlite3.connect(make_url(store_url).database, isolation_level=None)
    database.execute(
        f"CREATE TRIGGER fails BEFORE INSERT ON profile WHEN NEW.name = '{name}' "
        f"BEGIN SELECT RAISE(ABORT, '{said}'); END"
    )
    database.close()


def mend(store_url):
    database = sqlite3.connect(make_url(store_url).database, isolation_level=None)
    database.execute("DROP TRIGGER fails")
    database.close()


def three_files(folder):
    paths = [folder / name for name in ("a.txt", "b.txt", "c.txt")]
    for path in paths:
        path.write_text(page(f"Ada {path.stem}") + page(f"Bo {path.stem}"))
    return paths
