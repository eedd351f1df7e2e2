"""Other ways to write a name: Han characters read aloud, and the pieces around an apostrophe."""

from typing import Final

import regex

from storage.search.folding import fold

_HAN: Final = regex.compile(r"\p{Han}")
_JOINED: Final = regex.compile(r"[^\W_]+(?:'[^\W_]+)+")

_SURNAMES: Final = (
    "曾 zeng 仇 qiu 解 xie 單 shan 单 shan 任 ren 查 zha 朴 piao 区 ou 區 ou 盖 ge 缪 miao "
    "尉迟 yuchi 长孙 zhangsun 万俟 moqi 欧阳 ouyang 歐陽 ouyang 司马 sima 司馬 sima 诸葛 zhuge "
    "諸葛 zhuge 上官 shangguan 令狐 linghu 皇甫 huangfu 夏侯 xiahou 慕容 murong"
)
SURNAMES: Final = dict(regex.findall(r"(\S+) (\S+)", _SURNAMES))
"""Surnames whose reading as such differs from the usual one, and those of two characters."""


def read_aloud(text: str) -> str:
    """Han characters in pinyin without tones, the surname by its own reading; empty without Han.

    >>> read_aloud("赵成钢"), read_aloud("曾毅"), read_aloud("欧阳娜")
    ('zhao chenggang', 'zeng yi', 'ouyang na')
    """
    han = "".join(_HAN.findall(text))
    if not han:
        return ""
    surname = next((han[:length] for length in (2, 1) if han[:length] in SURNAMES), han[:1])
    first = SURNAMES.get(surname) or _pinyin(surname)
    return f"{first} {_pinyin(han[len(surname) :])}".strip()


def _pinyin(han: str) -> str:
    # its table of phrases takes most of a second to import, and most questions hold no Han
    from pypinyin import Style, pinyin  # noqa: PLC0415

    return "".join(syllable[0] for syllable in pinyin(han, style=Style.NORMAL, v_to_u=False))


def romanised(name: str) -> tuple[str, ...]:
    """The surname and the given name of Han characters in Latin letters; empty without Han.

    >>> romanised("王小明"), romanised("Lei Wang")
    (('wang', 'xiaoming'), ())
    """
    return tuple(read_aloud(name).split())


def pieces(name: str) -> tuple[str, ...]:
    """What stands around the apostrophes of a name, folded.

    >>> pieces("Seán O'Brien"), pieces("Lei Wang")
    (('o', 'brien'), ())
    """
    found = [match.group().split("'") for match in _JOINED.finditer(fold(name))]
    return tuple(dict.fromkeys(piece for each in found for piece in each))
