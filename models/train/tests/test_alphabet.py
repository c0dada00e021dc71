import unittest

import toy  # noqa: F401 first: it makes the code importable

import alphabet as abc
from corpus import title, upper


class Characters(unittest.TestCase):
    def setUp(self):
        self.letters = abc.Alphabet("ab1.", word_chars=6)

    def test_ids(self):
        for rune, want in [("a", 5), ("b", 6), ("1", 7), (".", 8), ("Z", 1), ("Ü", 1), ("z", 2), ("李", 2), ("ǅ", 2), ("7", 3), ("٣", 3), ("-", 4), ("😀", 4)]:
            self.assertEqual(self.letters.id(rune), want, rune)

    def test_long_words_give_their_ends(self):
        self.assertEqual(self.letters.ids("aaabbb"), [5, 5, 5, 6, 6, 6])
        self.assertEqual(self.letters.ids("aab111111abb"), [5, 5, 6, 5, 6, 6])
        self.assertEqual(self.letters.ids(""), [])

    def test_twice_the_same_character(self):
        with self.assertRaises(ValueError):
            abc.Alphabet("aba")


class Words(unittest.TestCase):
    def test_lookup(self):
        words = abc.Words(["pain", "00-year", "σ", "i"])
        for word, want in [("pain", 2), ("PAIN", 2), ("45-Year", 3), ("Σ", 4), ("İ", 5), ("gone", 1)]:
            self.assertEqual(words.id(word), want, word)

    def test_lower_keeps_the_number_of_runes(self):
        for word in ("İSTANBUL", "ΟΔΥΣΣΕΥΣ", "STRAẞE", "Ǆ", "abc"):
            self.assertEqual(len(abc.lower(word)), len(word))


class Cases(unittest.TestCase):
    def test_title(self):
        for word, want in [("O'BRIEN-SMITH", "O'Brien-Smith"), ("smith", "Smith"), ("12TH", "12Th"), ("", "")]:
            self.assertEqual(title(word), want)

    def test_upper_keeps_the_number_of_runes(self):
        self.assertEqual(upper("straße"), "STRAßE")


if __name__ == "__main__":
    unittest.main()
