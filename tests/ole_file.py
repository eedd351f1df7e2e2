"""Writes OLE compound files (MS-CFB, version 3), as Outlook's and old Office's are."""

import struct
from dataclasses import dataclass

SECTOR = 512
END, FREE, TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
CUTOFF, MINI = 4096, 64


@dataclass
class Entry:
    name: str
    kind: int  # 1 storage, 2 stream, 5 root
    content: bytes = b""
    child: int = FREE
    right: int = FREE
    start: int = END


def compound_file(tree):
    """``tree`` maps names to bytes (a stream) or to another tree (a storage)."""
    entries = [Entry("Root Entry", 5)]
    _add(entries, 0, tree)
    sectors, chain, mini, mini_chain = [], [], bytearray(), []
    for each in entries:
        if each.kind == 2 and 0 < len(each.content) < CUTOFF:
            each.start = len(mini) // MINI
            pieces = -(-len(each.content) // MINI)
            mini += each.content.ljust(pieces * MINI, b"\0")
            mini_chain += [*range(each.start + 1, each.start + pieces), END]
        elif each.kind == 2 and each.content:
            each.start = _put(sectors, chain, each.content)
    root = entries[0]
    root.content = bytes(mini)
    root.start = _put(sectors, chain, root.content) if mini else END
    table_of_mini = _put(sectors, chain, struct.pack(f"<{len(mini_chain)}I", *mini_chain), b"\xff")
    while len(entries) % 4:
        entries.append(Entry("", 0))
    directory = _put(sectors, chain, b"".join(map(_record, entries)))
    tables = -(-(len(chain) + 1) // 127)
    first = len(sectors)
    chain += [TABLE] * tables
    chain += [FREE] * (tables * 128 - len(chain))
    sectors += [struct.pack("<128I", *chain[at * 128 : (at + 1) * 128]) for at in range(tables)]
    header = struct.pack(
        "<8s16xHHHHH6x9I",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        0x3E, 3, 0xFFFE, 9, 6, 0, tables, directory, 0, CUTOFF,
        table_of_mini, -(-len(mini_chain) // 128), END, 0,
    )  # fmt: skip
    places = [*range(first, first + tables)]
    places += [FREE] * (109 - len(places))
    return header + struct.pack("<109I", *places) + b"".join(sectors)


def outlook_message(attachments=(), body="", **streams):
    """An Outlook e-mail: ``attachments`` are (name, content), ``streams`` more of its root."""
    tree = _properties({0x0037: "Application", 0x1000: body}, head=32, attached=len(attachments))
    for number, (name, content) in enumerate(attachments):
        tree[f"__attach_version1.0_#{number:08X}"] = _properties(
            {0x3707: name, 0x3701: content}, head=8
        )
    return compound_file(tree | streams)


def _properties(values, head, attached=0):
    start = (
        struct.pack("<8x4I", 0, attached, 0, attached).ljust(head, b"\0") if head > 8 else b"\0" * 8
    )
    records, tree = b"", {}
    for pid, value in values.items():
        if value in {"", b""}:
            continue
        kind = 0x1F if isinstance(value, str) else 0x102
        stored = value.encode("utf-16-le") if isinstance(value, str) else value
        size = len(stored) + (2 if kind == 0x1F else 0)
        records += struct.pack("<HHIII", kind, pid, 6, size, 0)
        tree[f"__substg1.0_{pid:04X}{kind:04X}"] = stored
    tree["__properties_version1.0"] = start + records
    return tree


def _add(entries, parent, tree):
    """Siblings as a chain to the right, in the order that the directory demands."""
    last = None
    for name in sorted(tree, key=lambda each: (len(each), each.upper())):
        value = tree[name]
        number = len(entries)
        is_stream = isinstance(value, bytes)
        entries.append(Entry(name, 2 if is_stream else 1, value if is_stream else b""))
        if last is None:
            entries[parent].child = number
        else:
            entries[last].right = number
        last = number
        if not is_stream:
            _add(entries, number, value)


def _put(sectors, chain, content, fill=b"\0"):
    if not content:
        return END
    start = len(sectors)
    pieces = -(-len(content) // SECTOR)
    padded = content.ljust(pieces * SECTOR, fill)
    sectors += [padded[at * SECTOR : (at + 1) * SECTOR] for at in range(pieces)]
    chain += [*range(start + 1, start + pieces), END]
    return start


def _record(entry):
    name = entry.name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII36xIII",
        name, len(name) + 2 if name else 0, entry.kind, 1, FREE, entry.right, entry.child,
        entry.start if entry.content else 0, len(entry.content), 0,
    )  # fmt: skip
