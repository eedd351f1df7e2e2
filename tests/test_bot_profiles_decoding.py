"""Bytes become text whatever wrote them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.profiles.decoding import text_of
from bot.profiles.format import UnreadableProfile

LATIN = "Tomás Nuñez-Prieto\nData Engineer at Café Numérico – “hi”\nGithub Skills (4)"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", LATIN),
        ("cp1252", "Zoë Müller\nIngenieurin bei Größe\nZürich"),
        ("gb18030", "王小明\nEngineer at 北京公司\n北京, 中国\nSummary\n他写代码，很好。"),
        ("big5", "王小明\n工程師\n臺北, 臺灣\n他是一個工程師"),
        ("shift_jis", "山田太郎\nEngineer\n東京, 日本\nこれはテストです"),
        ("euc_jp", "山田太郎\nEngineer\n東京, 日本\nこれはテストです"),
        ("euc_kr", "김철수\nEngineer\n서울, 대한민국"),
        ("cp1251", "Иван Петров\nРазработчик\nМосква, Россия"),
        ("koi8_r", "Иван Петров\nРазработчик\nМосква, Россия"),
    ],
)
def test_older_encodings_are_told_by_plausibility(encoding, text):
    assert text_of(text.encode(encoding)) == text


def test_a_character_cut_off_at_the_end_is_left_out():
    assert text_of("Zoë 🤩".encode()[:-2]) == "Zoë "
    assert text_of("Zoë🤩".encode("utf-16")[:-1]) == "Zoë"


def test_a_little_damage_does_not_change_the_encoding():
    damaged = LATIN.encode().replace(b"Data", b"D\xffta")
    assert text_of(damaged) == LATIN.replace("Data", "D\ufffdta")


def test_stray_nuls_are_taken_out_and_binary_is_refused():
    assert (
        text_of(b"Ines\x00 Okafor, engineer and more text") == "Ines Okafor, engineer and more text"
    )
    with pytest.raises(UnreadableProfile, match="binary"):
        text_of(bytes(range(32)) * 20)


@given(st.text(max_size=200).filter(lambda text: "\x00" not in text))
def test_utf_8_is_itself(text):
    content = b"plain words before it all, so that it is no binary; " * 8 + text.encode()
    try:
        assert text_of(content).endswith(text)
    except UnreadableProfile:
        assert any(character < " " or character == "\x7f" for character in text)


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_refused(content):
    try:
        assert "\x00" not in text_of(content)
    except UnreadableProfile:
        return
