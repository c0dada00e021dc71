import unittest

import numpy as np
import toy

import alphabet as abc
import score
from corpus import Corpus, Store, encode
from decode import Decoded, entities, tags_of
from labels import Labels
from schedule import Clock, rate


def corpus(sentences):
    return Corpus([Store(*encode(sentences, 256))], abc.Alphabet("abc"), abc.Words([]))


class Decoding(unittest.TestCase):
    def logits(self, labels, *rows):
        out = np.full((len(rows), len(labels)), -20.0)
        for i, row in enumerate(rows):
            for name, p in row.items():
                out[i, labels.index[name]] = np.log(p)
        return out

    def test_types_add_up(self):
        labels = Labels()
        made = Decoded(self.logits(labels, {"O": 0.4, "B-PATIENT": 0.3, "I-CITY": 0.3}, {"O": 0.6, "B-AGE": 0.4}), labels)
        self.assertEqual([labels.types[t] if t >= 0 else None for t in made.found(0.5)], ["PATIENT", None])
        self.assertEqual(labels.types[made.found(0.3)[1]], "AGE")
        np.testing.assert_allclose(made.of_class("LOCATION"), [0.3, 0.0], atol=1e-6)

    def test_patient_and_doctor_are_one_name(self):
        labels = Labels()
        made = Decoded(self.logits(labels, {"B-PATIENT": 0.3, "B-DOCTOR": 0.31, "B-CITY": 0.39}), labels)
        self.assertEqual(labels.types[made.type[0]], "DOCTOR")

    def test_bias_moves_the_log_odds(self):
        labels = Labels()
        logits = self.logits(labels, {"O": 0.8, "B-AGE": 0.2})
        self.assertAlmostEqual(float(Decoded(logits, labels, np.log(4)).phi[0]), 0.5, places=5)

    def test_a_path_adds_words_and_names_them(self):
        labels = Labels()
        rows = [{"O": 0.6, "B-AGE": 0.4}, {"B-PATIENT": 0.6, "I-CITY": 0.4}, {"O": 0.4, "I-DATE": 0.6}, {"O": 0.9, "B-ID": 0.1}]
        path = np.array([labels.index[n] for n in ("B-AGE", "I-CITY", "O", "O")])
        made = Decoded(self.logits(labels, *rows), labels, path=path)
        named = lambda found: [labels.types[t] if t >= 0 else None for t in found]  # noqa: E731
        self.assertEqual(named(made.found(0.5)), ["AGE", "CITY", "DATE", None])
        self.assertEqual(named(made.found(0.7)), [None, "CITY", None, None])  # surer than the path
        self.assertEqual(named(made.found(0.05)), ["AGE", "CITY", "DATE", "ID"])
        self.assertEqual(made.begins.tolist()[:2], [True, False])
        self.assertEqual(made.found_class("LOCATION", 0.5).tolist(), [False, True, False, False])
        self.assertEqual(made.found_class("LOCATION", 0.7).tolist(), [False, False, False, False])
        self.assertEqual(made.found_class("NAME", 0.5).tolist(), [False, True, False, False])
        strict = Decoded(self.logits(labels, *rows), labels, bias=-1.0, path=path)
        self.assertEqual(named(strict.found(0.5)), [None, "CITY", None, None])

    def test_entities(self):
        tags = ["B-AGE", "I-AGE", "B-AGE", "O", "I-CITY", "I-DATE"]
        self.assertEqual(entities(tags), [(0, 2, "AGE"), (2, 3, "AGE"), (4, 5, "CITY"), (5, 6, "DATE")])
        self.assertEqual(tags_of([0, 0, -1, 1], [True, False, False, False], ["X", "Y"]), ["B-X", "I-X", "O", "B-Y"])


class Scores(unittest.TestCase):
    def count(self, sentences, found):
        """found: a type for each word, or None."""
        labels, made = Labels(), corpus(sentences)
        gold = score.Gold(made, labels)
        got = np.array([labels.types.index(f) if f else -1 for f in found])
        return gold, dict(zip(gold.classes + [score.ANY], score.count_words(gold, got).sum(axis=0).tolist())), got

    def test_words(self):
        given = [{"words": list("abcd"), "tags": ["B-NAME", "I-NAME", "O", "O"], "covers": toy.EVERYTHING}]
        _, made, _ = self.count(given, ["DOCTOR", None, "AGE", None])
        self.assertEqual(made["NAME"], [1, 0, 1])
        self.assertEqual(made["AGE"], [0, 1, 0])
        self.assertEqual(made[score.ANY], [1, 1, 1])

    def test_what_is_not_known_is_not_held_against(self):
        given = [{"words": list("abc"), "tags": ["*", "O", "O"], "covers": ["NAME"]}]
        _, made, _ = self.count(given, ["DOCTOR", "AGE", "DOCTOR"])
        self.assertEqual((made["NAME"], made["AGE"], made[score.ANY]), ([0, 1, 0], [0, 0, 0], [0, 1, 0]))

    def test_wrong_class_is_found_all_the_same(self):
        given = [{"words": ["a"], "tags": ["B-HOSPITAL"], "covers": toy.EVERYTHING}]
        _, made, _ = self.count(given, ["CITY"])
        self.assertEqual((made["ORG"], made["LOCATION"], made[score.ANY]), ([0, 0, 1], [0, 1, 0], [1, 0, 0]))

    def test_entities(self):
        given = [{"words": list("abc"), "tags": ["B-PATIENT", "I-PATIENT", "O"], "covers": toy.EVERYTHING}]
        gold, _, got = self.count(given, ["PATIENT", "PATIENT", None])
        for begins, want in (([True, False, False], [1, 0, 0]), ([True, True, False], [0, 2, 1])):
            counts, covered = score.count_entities(gold, got, np.array(begins))
            self.assertEqual(counts[0, gold.classes.index("NAME")].tolist(), want)
            self.assertEqual(covered[-1].tolist(), [1, 1])

    def test_by_sentence(self):
        counts = np.arange(5)[:, None]
        self.assertEqual(score.by_sentence(counts, np.array([0, 2, 5])).tolist(), [[1], [9]])

    def test_intervals_hold_the_figure(self):
        rng = np.random.default_rng(0)
        right = rng.random(2000) < 0.9
        counts = np.stack([right, np.zeros(2000), ~right], axis=1).astype(np.int64)[:, None, :]
        _, recall = score.intervals(counts, 300)
        low, high = recall[0]
        self.assertTrue(low < right.mean() < high)
        self.assertTrue(0.02 < high - low < 0.04)


class Schedule(unittest.TestCase):
    def test_rate(self):
        got = [rate(p, 1.0, 0.4) for p in (0.0, 0.2, 0.4, 0.7, 1.0, 2.0)]
        np.testing.assert_allclose(got, [0, 0.5, 1, 0.5, 0, 0], atol=1e-9)

    def test_what_is_first_ends_a_stage(self):
        now = [0.0]
        clock = Clock(100, 60, now=lambda: now[0])
        clock.step = 10
        self.assertEqual(clock.progress(), 0.1)
        now[0] = 30
        self.assertEqual((clock.progress(), clock.left()), (0.5, 30))
        clock.step = 100
        self.assertEqual(clock.progress(), 1.0)

    def test_time_of_earlier_runs_counts(self):
        now = [100.0]
        self.assertEqual(Clock(100, 60, spent=30, now=lambda: now[0]).progress(), 0.5)


if __name__ == "__main__":
    unittest.main()
