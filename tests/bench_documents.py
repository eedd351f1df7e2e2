"""How many of the facts that documents state are read, how fast, and in how much memory.

``make bench-documents`` (``python -m tests.bench_documents [-v] [MODULE:READ]``) reads every
document of ``tests/cases/documents`` and prints a row for each kind: facts right of facts present,
facts read that nothing states, people invented, documents a second and the highest memory. The set
says how it was made; ``tests/labelled_facts.py`` says what counts as right. ``-v`` adds what was
lost and what was wrong, which is for checking labels and not for tuning readers.

On the PDFs stand beside it what people would otherwise install (``pypdf``, ``pdfplumber``,
``markitdown``), which only make text. Each kind and each peer has a process of its own; times are
the median of ``ROUNDS`` rounds after one document that warms up, and mean little on another
machine: the ratios of one run mean more.
"""

import importlib
import importlib.util
import json
import multiprocessing
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any

from tests.labelled_facts import Tally, as_person, compare

LABELLED = Path(__file__).parent / "cases" / "documents"
OURS = "bot.profiles.apart:read"
ROUNDS = 3
UNSTRUCTURED = ("pdf", "docx")
"""Kinds that are laid out for the eye; the goal for the others is higher."""
PEERS = ("pypdf", "pdfplumber", "markitdown")

Read = Callable[[str, bytes], Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """What a process made of its documents: people a document, and what it cost."""

    people: list[list[dict[str, Any]]]
    seconds: float
    """For one round over all documents."""
    megabytes: float
    """The highest resident memory of the process and those it started."""


@dataclass(slots=True)
class Row:
    """The documents of a kind, or of several."""

    documents: int = 0
    people: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    tally: Tally = field(default_factory=Tally)

    def add(self, other: "Row") -> None:
        self.documents += other.documents
        self.people += other.people
        self.seconds += other.seconds
        self.megabytes = max(self.megabytes, other.megabytes)
        self.tally.add(other.tally)

    def cells(self, kind: str) -> tuple[str, ...]:
        tally = self.tally
        share = f"{tally.right / tally.present:.3f}" if tally.present else "–"
        return (
            kind,
            str(self.documents),
            str(self.people),
            f"{tally.right} of {tally.present}",
            share,
            str(len(tally.wrong)),
            str(len(tally.invented)),
            f"{self.documents / self.seconds:.1f}" if self.seconds else "–",
            f"{self.megabytes:.0f}",
        )


HEADINGS = (
    "kind",
    "documents",
    "people",
    "facts right",
    "share",
    "wrong facts",
    "invented people",
    "documents a second",
    "peak MB",
)


def labels() -> list[dict[str, Any]]:
    """One document a label: its file, its kind, and the people it speaks of."""
    text = (LABELLED / "labels.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def alone(work: Callable[..., Measured], *given: Any) -> Measured:
    """The same in a fresh process, so that its memory is its own."""
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh) as pool:
        return pool.submit(work, *given).result()


def read_all(reader: str, files: Sequence[str]) -> Measured:
    """The documents through a reader ``MODULE:FUNCTION``; a refused one holds nobody."""
    read = named(reader)
    contents = [(name, (LABELLED / name).read_bytes()) for name in files]
    people = [[as_person(profile) for profile in _profiles(read, *each)] for each in contents]
    seconds = timed(lambda name, content: _profiles(read, name, content), contents)
    return Measured(people, seconds, peak())


def named(reader: str) -> Read:
    module, _, function = reader.partition(":")
    return getattr(importlib.import_module(module), function)


def _profiles(read: Read, name: str, content: bytes) -> list[Any]:
    from bot.profiles.reader import UnreadableProfile  # noqa: PLC0415 - only a child pays for it

    try:
        return [profile for profile, _ in read(name, content).profiles]
    except UnreadableProfile:
        return []


def timed(read: Read, contents: Sequence[tuple[str, bytes]]) -> float:
    """Seconds of a round: the median; one document first, which pays for imports."""
    read(*contents[0])
    rounds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for each in contents:
            read(*each)
        rounds.append(time.perf_counter() - begun)
    return median(rounds)


def peak() -> float:
    """Megabytes of this process and its children at their highest."""
    here = Path("/proc/self/task")
    if not here.is_dir():  # macOS counts in bytes, and its children not at all
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    children: list[str] = []
    for task in here.iterdir():
        with suppress(OSError):  # a thread that has just ended
            children += (task / "children").read_text().split()
    return sum(_highest(Path("/proc") / process) for process in ("self", *children)) / 1024


def _highest(process: Path) -> int:
    """Its highest resident memory in kB; 0 when it has just ended."""
    try:
        lines = (process / "status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def peer_all(peer: str, files: Sequence[str]) -> Measured:
    """The same PDFs made into text by a peer; one it cannot read costs what it costs."""
    text = {"pypdf": _pypdf, "pdfplumber": _pdfplumber, "markitdown": _markitdown}[peer]()

    def read(_: str, content: bytes) -> None:
        with suppress(Exception):  # foreign code: what it cannot read is not the question
            text(content)

    contents = [(name, (LABELLED / name).read_bytes()) for name in files]
    return Measured([], timed(read, contents), peak())


def _pypdf() -> Callable[[bytes], str]:
    pypdf = importlib.import_module("pypdf")
    return lambda content: "".join(
        page.extract_text() for page in pypdf.PdfReader(BytesIO(content)).pages
    )


def _pdfplumber() -> Callable[[bytes], str]:
    pdfplumber = importlib.import_module("pdfplumber")

    def text(content: bytes) -> str:
        with pdfplumber.open(BytesIO(content)) as pdf:
            return "".join(page.extract_text() for page in pdf.pages)

    return text


def _markitdown() -> Callable[[bytes], str]:
    markitdown = importlib.import_module("markitdown")
    convert = markitdown.MarkItDown(enable_plugins=False).convert_stream
    return lambda content: convert(BytesIO(content), file_extension=".pdf").markdown


def rows(reader: str, verbose: bool) -> dict[str, Row]:
    """A row for each kind, the commonest first."""
    kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for label in labels():
        kinds[label["kind"]].append(label)
    return {
        kind: row_of(kinds[kind], alone(read_all, reader, _files(kinds[kind])), verbose)
        for kind in sorted(kinds, key=lambda kind: -len(kinds[kind]))
    }


def _files(labelled: Sequence[dict[str, Any]]) -> list[str]:
    return [label["file"] for label in labelled]


def row_of(labelled: Sequence[dict[str, Any]], measured: Measured, verbose: bool = False) -> Row:
    """What was read held against what the labels say."""
    row = Row(len(labelled), 0, measured.seconds, measured.megabytes)
    for label, read in zip(labelled, measured.people, strict=True):
        tally = compare(label["people"], read)
        row.people += len(label["people"])
        row.tally.add(tally)
        if verbose:
            for what in ("lost", "wrong", "invented"):
                for each in getattr(tally, what):
                    print(f"{label['file']}: {what}: {each}")
    return row


def table(headings: Sequence[str], lines: Iterator[Sequence[str]]) -> str:
    """Markdown."""
    rule = ["---", *["---:"] * (len(headings) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (headings, rule, *lines))


def summed(found: dict[str, Row]) -> Iterator[Sequence[str]]:
    """The kinds, then those laid out for the eye, the structured ones, and all."""
    for kind, row in found.items():
        yield row.cells(kind)
    together = {
        "**PDF and DOCX**": [kind for kind in found if kind in UNSTRUCTURED],
        "**other kinds**": [kind for kind in found if kind not in UNSTRUCTURED],
        "**all**": list(found),
    }
    for name, kinds in together.items():
        total = Row()
        for kind in kinds:
            total.add(found[kind])
        yield total.cells(name)


def beside(ours: Row) -> Iterator[Sequence[str]]:
    """Ours and each peer on the PDFs; how many times as fast ours is."""
    files = _files([label for label in labels() if label["kind"] == "pdf"])
    yield "ours, to people", f"{len(files) / ours.seconds:.1f}", "1", f"{ours.megabytes:.0f}"
    for peer in PEERS:
        if importlib.util.find_spec(peer) is None:
            yield f"{peer} (not installed)", "–", "–", "–"
            continue
        theirs = alone(peer_all, peer, files)
        ratio = theirs.seconds / ours.seconds
        speed = f"{len(files) / theirs.seconds:.1f}"
        yield f"{peer}, to text", speed, f"{ratio:.1f}", f"{theirs.megabytes:.0f}"


def main(arguments: Sequence[str]) -> None:
    """Prints both tables."""
    readers = [each for each in arguments if not each.startswith("-")]
    found = rows(readers[0] if readers else OURS, "-v" in arguments)
    print(table(HEADINGS, summed(found)))
    print()
    headings = ("the PDFs", "documents a second", "ours is faster, times", "peak MB")
    print(table(headings, beside(found["pdf"])))


if __name__ == "__main__":
    main(sys.argv[1:])
