"""The words by which a person is found by name, as they are stored."""

from storage.records import Profile
from storage.search.folding import tokens
from storage.search.reading import pieces, readings, romanised, skeletons


def name_words(profile: Profile) -> list[tuple[str, str]]:
    """(kind, word), each once: the kinds of ``models.NameTokenRow``, in their order there."""
    login = (profile.likely_login or "").casefold()
    return [
        (kind, word)
        for kind, words in (
            ("name", tokens(profile.name)),
            ("romanised", romanised(profile.name)),
            ("reading", readings(profile.name)),
            ("piece", pieces(profile.name)),
            ("skeleton", skeletons(profile.name)),
            ("login", [login] if login else []),
        )
        for word in dict.fromkeys(words)
    ]
