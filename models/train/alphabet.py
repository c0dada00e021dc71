"""How words become numbers: the ids of characters and words that networks with a
character front read. The Go code that runs the networks does the same (see the package
ensemble/onnx), so a change here is a change there.
"""

import unicodedata

PAD = 0
UNKNOWN_UPPER, UNKNOWN_LETTER, UNKNOWN_DIGIT, UNKNOWN_OTHER = 1, 2, 3, 4
FIRST_CHAR = 5

UNKNOWN_WORD = 1
FIRST_WORD = 2

_DIGITS = str.maketrans("123456789", "000000000")


def lower(word):
    """Rune by rune, as Go's strings.ToLower: one rune stays one rune, whatever stands
    beside it."""
    if word.isascii():
        return word.lower()
    return "".join(_lower_rune(r) for r in word)


def _lower_rune(rune):
    small = rune.lower()
    return small if len(small) == 1 else small[0]


def key(word):
    """What a word is looked up by: lower case, and any ASCII digit as 0."""
    return lower(word).translate(_DIGITS)


class Alphabet:
    """The known characters, and how many of a word are read."""

    def __init__(self, chars, word_chars=20):
        if len(set(chars)) != len(chars):
            raise ValueError("chars: a character stands there twice")
        self.chars = chars
        self.word_chars = word_chars
        self._ids = {rune: FIRST_CHAR + i for i, rune in enumerate(chars)}

    def __len__(self):
        return FIRST_CHAR + len(self.chars)

    def id(self, rune):
        found = self._ids.get(rune)
        if found is None:
            found = self._ids[rune] = _unknown(rune)
        return found

    def ids(self, word):
        """At most word_chars ids; of a longer word its two ends."""
        if len(word) > self.word_chars:
            half = self.word_chars // 2
            word = word[:half] + word[-half:]
        return [self.id(rune) for rune in word]


def _unknown(rune):
    category = unicodedata.category(rune)
    if category == "Lu":
        return UNKNOWN_UPPER
    if category.startswith("L"):
        return UNKNOWN_LETTER
    if category == "Nd":
        return UNKNOWN_DIGIT
    return UNKNOWN_OTHER


class Words:
    """The known words, in the order of words.txt."""

    def __init__(self, words):
        self.words = list(words)
        self._ids = {word: FIRST_WORD + i for i, word in enumerate(self.words)}

    def __len__(self):
        return FIRST_WORD + len(self.words)

    def id(self, word):
        return self._ids.get(key(word), UNKNOWN_WORD)
