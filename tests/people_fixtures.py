"""Invented people for tests of the rights of people, as profiles and as pages."""

from storage.records import Contribution, Document, Education, Profile, Skill

PAGE = """{name}
{title}
Malmö, Sweden
Summary
{first} writes compilers.
9 years of coding experience
Github Skills (2)
mlir10
llvm9
Programming languages (1)
Github contributions (1)
norrsken/{repository}
Mar 2024 - Oct 2024
A compiler.
Role in this project:
Compiler Engineer
Compiler EngineerContributions:12 reviews, 40 commits, 9 PRs in 7 months
Contributions summary:{first} made the compiler faster.
llvmcompiler
Find and Hire Top DevelopersWe’ve analyzed the programming source code of over 60 million \
software developers on GitHub and scored them by 50,000 skills. Sign-up on Prog,AI to search for \
software developers.
"""


def page(name="Quetzal Adeyemi", title="Compiler Engineer at Norrsken", repository="zugvogel"):
    return PAGE.format(name=name, title=title, repository=repository, first=name.split()[0])


def profile(name="Quetzal Adeyemi", **said):
    said = {
        "headline": "Compiler Engineer at Norrsken",
        "title": "Compiler Engineer",
        "company": "Norrsken",
        "skills": (Skill(name="mlir", score=10), Skill(name="llvm", score=9)),
        "contributions": (
            Contribution(repository="norrsken/zugvogel", from_month="2024-03", commits=40),
        ),
        "education": (Education(text="MSc", school="Lund University"),),
        "likely_login": "quetzalad",
        **said,
    }
    return Profile(name=name, **said)


def document(text, name="quetzal.txt", **said):
    said = {"added_by": "U0MIRALINDG", "added_via": "load", "parser": "test/1", **said}
    return Document(name=name, text=text, **said)


def add(store, name="Quetzal Adeyemi", *, now, text=None, file=None, **said):
    text = text or f"{name}\nthe page of {name}\n"
    file = file or f"{name.split()[0].lower()}-{name.split()[-1].lower()}.txt"
    return store.add(profile(name, **said), document(text, file), now=now).candidate_id
