import json
import os
import tempfile
import unittest

import numpy as np
import toy
import torch

import ablate
import alphabet as abc
import networks
import pieces
import prepare
import settings as conf
import vectors
from batches import Assembler, misspelt, plan
from corpus import Corpus, Store, encode


class Vectors(unittest.TestCase):
    WORDS = abc.Words(["pain", "the", "b00"])

    def read(self, text, size=2):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "v.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return vectors.read(path, self.WORDS, size)

    def test_known_words_get_theirs(self):
        for head in ("", "4 2\n"):
            table, known = self.read(head + "the 1 2\nother 3 4\nB12 5 6\nb13 7 8\n")
            self.assertEqual(known.tolist(), [False, False, False, True, True])
            self.assertEqual(table[3:].tolist(), [[1, 2], [5, 6]])

    def test_wrong_files(self):
        with self.assertRaisesRegex(ValueError, "line 2: 3 numbers, word_size is 2"):
            self.read("the 1 2\npain 1 2 3\n")
        with self.assertRaisesRegex(ValueError, "none of its words"):
            self.read("other 1 2\n")

    def test_put(self):
        embedding = torch.nn.Embedding(5, 2)
        before = embedding.weight.detach().clone()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "v.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write("the 10 20\nb00 -30 40\n")
            self.assertEqual(vectors.put(embedding, path, self.WORDS), 2)
        self.assertTrue(torch.equal(embedding.weight[:3], before[:3]))
        self.assertLess(float(embedding.weight[3:].abs().max()), 5)  # on the scale of the others
        self.assertAlmostEqual(float(embedding.weight[3, 1] / embedding.weight[3, 0]), 2.0, places=5)


class Exclusive(unittest.TestCase):
    def test_settings_that_exclude_each_other(self):
        for wrong in (
            {"kind": "forest"},
            {"kind": "bert", "sequence": True},
            {"kind": "bert", "vectors": "v.txt"},
            {"sequence": True, "fine_tuning": {"phi_weight": 2.0}},
            {"sequence": True, "fine_tuning": {"smoothing": 0.1}},
            {"front": {"word_size": 0}, "language": {"share": 0.1}},
            {"front": {"word_size": 0}, "vectors": "v.txt"},
        ):
            network = conf.merge(conf.NETWORK, {"kind": "ann"} | wrong, "x")
            with self.assertRaises(ValueError):
                conf.check(network, "x")
        conf.check(conf.merge(conf.NETWORK, {"kind": "ann", "sequence": True}, "x"), "x")

    def test_networks_of_the_project(self):
        """train.yaml's own, each of which can be built."""
        folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        made = conf.load(os.path.join(folder, "train.yaml"))["networks"]
        self.assertLessEqual({"minilm", "lstm", "transformer", "ann", "ann-cnn", "ann-on-lstm", *ablate.VARIANTS}, set(made))
        for net in made.values():
            if net["kind"] == "pieces":
                with tempfile.TemporaryDirectory() as tiny:
                    toy.checkpoint(tiny, net["encoder"]["layers"])
                    pieces.make(net | {"encoder": net["encoder"] | {"checkpoint": tiny}}, range(40), range(50), range(31))
            elif net["kind"] != "bert":
                networks.Tagger(net["kind"], 40, 50, 31, net["front"], net["encoder"], net["sequence"])


class Encoding(unittest.TestCase):
    def corpus(self, sentences, longest=256, words=("pain", "the")):
        meta, arrays = encode(sentences, longest)
        return Corpus([Store(meta, arrays)], abc.Alphabet("abcdefghijklmnopqrstuvwxyz"), abc.Words(words), cases=True)

    def test_there_and_back(self):
        given = [
            {"words": ["Mr", "Moss"], "gaps": [2, 1], "tags": ["O", "B-NAME"], "covers": ["NAME"]},
            {"words": ["pain"]},
        ]
        corpus = self.corpus(given)
        self.assertEqual(corpus.sentence(0), (["Mr", "Moss"], [2, 1], ["O", "B-NAME"]))
        self.assertEqual(corpus.sentence(1), (["pain"], [2], ["*"]))
        self.assertEqual(corpus.tag_ids.pairs[corpus.tags[0]], ("O", ("NAME",)))

    def test_long_sentences_are_cut(self):
        corpus = self.corpus([{"words": list("abcde")}], longest=2)
        self.assertEqual([corpus.sentence(i)[0] for i in range(3)], [["a", "b"], ["c", "d"], ["e"]])

    def test_stores_are_joined(self):
        parts = [encode([{"words": ["a", "b"], "group": "x"}], 9), encode([{"words": ["b", "c"], "group": "y"}], 9)]
        corpus = Corpus([Store(*p) for p in parts], abc.Alphabet("abc"), abc.Words([]))
        self.assertEqual([corpus.sentence(i)[0] for i in range(2)], [["a", "b"], ["b", "c"]])
        self.assertEqual([corpus.group_names[g] for g in corpus.groups], ["x", "y"])

    def test_lengths_must_agree(self):
        with self.assertRaisesRegex(ValueError, "sentence 1: words, gaps, tags and rules"):
            encode([{"words": ["a", "b"], "gaps": [1], "tags": ["O", "O"]}], 9)

    def test_errors_hold_no_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.jsonl")
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"words": ["Moss"\n')
            with self.assertRaises(ValueError) as caught:
                Store.of(path, folder)
        self.assertIn("line 1", str(caught.exception))
        self.assertNotIn("Moss", str(caught.exception))

    def test_cache_follows_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.jsonl")
            toy.write(path, [{"words": ["one"]}])
            self.assertEqual(Store.of(path, folder).forms, ["one"])
            self.assertEqual(Store.of(path, folder).forms, ["one"])
            toy.write(path, [{"words": ["another"]}])
            self.assertEqual(Store.of(path, folder).forms, ["another"])


class Batches(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.settings = toy.settings(self.folder.name)
        prepare.prepare(self.settings)
        self.letters, self.words, self.counts = prepare.load(self.settings["folders"]["cache"])
        stores = prepare.stores(self.settings, ["train.jsonl"])
        self.corpus = Corpus(stores, self.letters, self.words, cases=True)

    def test_plan_has_every_sentence_once(self):
        rows = np.concatenate(plan(self.corpus, 32, np.random.default_rng(0)))
        self.assertEqual(sorted(rows), list(range(len(self.corpus))))

    def test_plan_by_source(self):
        for weight in (0.0, 0.5, 2.0):
            made = plan(self.corpus, 32, np.random.default_rng(0), {"toy": weight})
            self.assertAlmostEqual(sum(map(len, made)) / len(self.corpus), weight, delta=0.1)

    def test_plain_batch_is_what_stands_there(self):
        rows = np.array([3, 8, 5])
        batch = Assembler(self.corpus)(rows)
        for i, row in enumerate(rows):
            words, gaps, tags = self.corpus.sentence(row)
            self.assertEqual(batch.words[i, : len(words)].tolist(), [self.words.id(w) for w in words])
            self.assertEqual(batch.gaps[i, : len(words)].tolist(), gaps)
            self.assertEqual([self.corpus.tag_ids.pairs[t][0] for t in batch.tags[i, : len(words)]], tags)
            self.assertFalse(batch.words[i, len(words) :].any())
            flat = [c for block in batch.chars for c in block.tolist()]
            for at, word in enumerate(words):
                got = [c for c in flat[batch.spread[i, at]] if c]
                self.assertEqual(got, self.letters.ids(word))

    def test_upper_case(self):
        batch = Assembler(self.corpus, {"upper": 1.0}, None, np.random.default_rng(0))(np.array([0]))
        words = self.corpus.sentence(0)[0]
        flat = [c for block in batch.chars for c in block.tolist()]
        for at, word in enumerate(words):
            self.assertEqual([c for c in flat[batch.spread[0, at]] if c], self.letters.ids(word.upper()))

    def test_word_dropout_spares_the_frequent(self):
        rng = np.random.default_rng(0)
        assemble = Assembler(self.corpus, {"word_dropout": 0.1, "rare": 5}, self.counts, rng)
        rare = np.minimum(self.counts, 3)
        self.assertGreater(assemble.drop.max(), 0.5)
        self.assertTrue((Assembler(self.corpus, {"word_dropout": 0.1, "rare": 5}, rare, rng).drop >= assemble.drop).all())
        batch = assemble(np.arange(200))
        self.assertTrue(((batch.words == 0) == (batch.tags == self.corpus.anything)).all())

    def test_masked_words_can_not_be_read(self):
        assemble = Assembler(self.corpus, {}, None, np.random.default_rng(0))
        batch = assemble(np.arange(300), mask=0.5, frequent=20)
        self.assertEqual(len(batch.masked), len(batch.targets))
        seen = batch.words.reshape(-1)[batch.masked]
        blank = (seen == abc.UNKNOWN_WORD).float().mean()
        self.assertTrue(0.7 < blank < 0.95, blank)
        right = (seen == batch.targets + abc.FIRST_WORD).float().mean()
        self.assertLess(float(right), 0.25)

    def test_misspelt_differs_by_one(self):
        chars = np.zeros((300, 20), np.uint8)
        chars[:, :6] = [10, 11, 12, 13, 14, 15]
        made = misspelt(chars, np.full(300, 6), np.random.default_rng(0))
        self.assertTrue((made != chars).any(axis=1).all())
        self.assertTrue((np.abs((made > 0).sum(axis=1) - 6) <= 1).all())
        self.assertTrue((made[:, 0] == 10).all())
        short = chars.copy()
        short[:, 3:] = 0
        self.assertTrue((misspelt(short, np.full(300, 3), np.random.default_rng(0)) == short).all())


class Settings(unittest.TestCase):
    def test_unknown_keys(self):
        for text in ({"sead": 1}, {"export": {"opsets": 3}}, {"networks": {"x": {"kind": "lstm", "fine_tuning": {"epoch": 1}}}}):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "c.yaml")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(text, file)
                with self.assertRaisesRegex(ValueError, "no setting is called"):
                    conf.load(path)

    def test_own_before_defaults(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "c.yaml")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"networks": {"defaults": {"fine_tuning": {"rate": 1}}, "x": {"kind": "lstm", "fine_tuning": {"epochs": 2}}}}, file)
            made = conf.load(path)["networks"]["x"]["fine_tuning"]
        self.assertEqual((made["rate"], made["epochs"], made["warm_up"]), (1, 2, 0.4))

    def test_shipped_configuration_is_sound(self):
        path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "train.yaml")
        self.assertEqual({"minilm", "lstm", "transformer"} - set(conf.load(path)["networks"]), set())


if __name__ == "__main__":
    unittest.main()
