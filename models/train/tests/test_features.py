import os
import tempfile
import unittest

import toy  # noqa: F401 first: it makes the code importable
import numpy as np

import alphabet as abc
import features
from batches import Assembler
from corpus import Corpus, Store, encode
from features import LEXICON, OFFSETS, SIZES, WRONG

KNOWN = {"moss": (2, 9, 1, 0, 1, 2, 0), "pain": (0, 0, 8, 1, 0, 1, 0)}
BLANK = (0,) * (len(SIZES) - LEXICON)


def corpus(sentences, known=None):
    return Corpus([Store(*encode(sentences, 256))], abc.Alphabet("abc"), abc.Words([]), True, known)


def rows(made, change=None, seed=0, at=None):
    """The columns of a corpus's sentences, without the offsets of inside words."""
    batch = Assembler(made, change, None, np.random.default_rng(seed))(np.arange(len(made)) if at is None else at)
    return batch.features.numpy()


class Table(unittest.TestCase):
    def test_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lexicon.tsv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("moss\t2 9 1 0 1 2 0\npain\t0 0 8 1 0 1 0\n")
            self.assertEqual(features.table(path), KNOWN)

    def test_forms_in_any_case(self):
        made = features.of_forms(["Moss", "MOSS", "other"], KNOWN)
        self.assertEqual([tuple(row) for row in made.tolist()], [KNOWN["moss"], KNOWN["moss"], BLANK, BLANK])

    def test_without_a_lexicon_all_are_blank(self):
        self.assertFalse(features.of_forms(["Moss"], None).any())

    def test_offsets_number_all_rows(self):
        self.assertEqual(len(SIZES), len(features.NAMES))
        self.assertEqual(OFFSETS[0], 0)
        self.assertEqual((OFFSETS + np.array(SIZES)).tolist(), [*OFFSETS[1:].tolist(), features.ROWS])

    def test_roles_are_within_their_columns(self):
        self.assertLess(max(role for role, _ in features.RECORD.values()), SIZES[0])
        self.assertLess(max(role for role, _ in features.DIRECTORY.values()), SIZES[1])


class Measured(unittest.TestCase):
    """What a network is measured on: no record, rules and lexicon as they are."""

    def setUp(self):
        self.corpus = corpus(
            [
                {"words": ["Moss", "has", "PAIN"], "tags": ["B-PATIENT", "O", "O"], "rules": "100"},
                {"words": ["3:30"], "tags": ["O"], "rules": ":"},
            ],
            KNOWN,
        )

    def test_rules_and_lexicon(self):
        made = rows(self.corpus)
        self.assertEqual((made[0, 0] - OFFSETS).tolist(), [0, 0, 1, *KNOWN["moss"]])
        self.assertEqual((made[0, 1] - OFFSETS).tolist(), [0] * len(SIZES))
        self.assertEqual((made[0, 2] - OFFSETS).tolist(), [0, 0, 0, *KNOWN["pain"]])
        self.assertEqual((made[1, 0] - OFFSETS).tolist(), [0, 0, 10] + [0] * len(BLANK))

    def test_padding_is_zero(self):
        self.assertEqual(rows(self.corpus).shape, (2, 3, len(SIZES)))
        self.assertFalse(rows(self.corpus)[1, 1:].any())

    def test_rows_are_within_the_table(self):
        made = rows(self.corpus) - OFFSETS
        inside = self.corpus.lengths[:, None] > np.arange(3)
        self.assertTrue((made[inside] >= 0).all() and (made[inside] < np.array(SIZES)).all())


class Trained(unittest.TestCase):
    NUMBER = 4000

    def of_tag(self, tag, change, column):
        """How often each value of a column comes for words of one tag."""
        made = corpus([{"words": ["Moss"] * 10, "tags": [tag] * 10, "rules": "1" * 10} for _ in range(self.NUMBER // 10)], KNOWN)
        found = (rows(made, change) - OFFSETS)[..., column]
        return np.bincount(found.ravel(), minlength=SIZES[column]) / self.NUMBER

    def test_hits_of_the_record(self):
        for tag, (role, chance) in features.RECORD.items():
            shares = self.of_tag("B-" + tag, {"upper": 1e-9}, 0)
            self.assertAlmostEqual(shares[role], chance, delta=0.03, msg=tag)
            self.assertAlmostEqual(shares[0], 1 - chance, delta=0.03, msg=tag)

    def test_hits_of_the_directory(self):
        for tag, (role, chance) in features.DIRECTORY.items():
            self.assertAlmostEqual(self.of_tag("B-" + tag, {"upper": 1e-9}, 1)[role], chance, delta=0.03, msg=tag)
        self.assertGreater(self.of_tag("B-CITY", {"upper": 1e-9}, 1)[0], 0.98)

    def test_few_words_are_hit_wrongly(self):
        shares = self.of_tag("O", {"upper": 1e-9}, 0)
        self.assertTrue(0 < shares[1] < 4 * WRONG, shares)
        self.assertEqual(shares[2:].sum(), 0)

    def test_parts_are_blank_for_whole_windows(self):
        made = corpus([{"words": ["Moss"] * 20, "tags": ["B-PATIENT"] * 20, "rules": "1" * 20} for _ in range(300)], KNOWN)
        for name, column in (("no_record", 0), ("no_rules", 2), ("no_lexicon", LEXICON + 1)):
            with self.subTest(name):
                known = ((rows(made, {name: 0.4}) - OFFSETS)[..., column] != 0).any(axis=1)
                self.assertAlmostEqual(known.mean(), 0.6, delta=0.08)
                self.assertFalse((rows(made, {name: 1.0}) - OFFSETS)[..., column].any())

    def test_same_seed_same_columns(self):
        made = corpus([{"words": ["Moss", "Lee"], "tags": ["B-PATIENT", "B-DOCTOR"]} for _ in range(50)])
        change = {"no_record": 0.5}
        self.assertTrue((rows(made, change, 3) == rows(made, change, 3)).all())
        self.assertFalse((rows(made, change, 3) == rows(made, change, 4)).all())

    def test_padding_is_zero(self):
        made = corpus([{"words": ["Moss"] * 9, "tags": ["B-PATIENT"] * 9}, {"words": ["Moss"], "tags": ["B-PATIENT"]}])
        self.assertFalse(rows(made, {"upper": 0.5})[1, 1:].any())

    def test_other_cases_are_the_same_word(self):
        made = corpus([{"words": ["Moss"], "tags": ["O"]}], KNOWN)
        self.assertEqual((rows(made, {"upper": 1.0}) - OFFSETS)[0, 0, LEXICON:].tolist(), list(KNOWN["moss"]))

    def test_misspelt_words_are_unknown(self):
        made = corpus([{"words": ["Moss"], "tags": ["B-NAME"]}], KNOWN)
        self.assertEqual((rows(made, {"noise": 1.0}) - OFFSETS)[0, 0, LEXICON:].tolist(), list(BLANK))


if __name__ == "__main__":
    unittest.main()
