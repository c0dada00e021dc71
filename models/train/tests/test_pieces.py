"""Wordpieces of words, the encoder of a BERT, and networks that begin with it."""

import copy
import json
import os
import tempfile
import unittest

import numpy as np
import onnx
import toy
import torch

import alphabet as abc
import evaluate
import export
import features
import networks
import pieces
import prepare
import release
import shipped
import train
import weights
from batches import Assembler
from corpus import Corpus, Store, encode
from pieces import CLS, MOST, SEP, UNKNOWN


class Made(unittest.TestCase):
    """Tests that read the tiny checkpoint."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.bert = toy.checkpoint(cls.folder.name)
        cls.tokenizer = pieces.tokenizer({"encoder": {"checkpoint": cls.folder.name}})


def corpus(*sentences):
    return Corpus([Store(*encode([{"words": s.split(" ")} for s in sentences], 256))], abc.Alphabet("abc"), abc.Words([]))


class Wordpieces(Made):
    def of(self, *sentences, unseen=None):
        made = corpus(*sentences)
        inside = np.arange(made.lengths.max()) < made.lengths[:, None]
        at = np.where(inside, made.starts[:-1, None] + np.arange(inside.shape[1]), 0)
        forms = np.where(inside, made.tokens[at], made.blank)
        ids, begins = pieces.Pieces(made, self.tokenizer)(forms, inside, unseen)
        return ids.tolist(), begins.tolist()

    def ids(self, *names):
        return [self.tokenizer.token_to_id(n) for n in names]

    def test_pieces_and_begins_of_a_padded_batch(self):
        ids, begins = self.of("pain fever x", "fever")
        self.assertEqual(ids[0], [CLS, *self.ids("pa", "##in", "fever", "x"), SEP])
        self.assertEqual(ids[1], [CLS, *self.ids("fever"), SEP, 0, 0, 0])
        self.assertEqual(begins, [[1, 3, 4], [1, 0, 0]])

    def test_case_and_accents_do_not_count(self):
        self.assertEqual(self.of("FÉVER")[0], self.of("fever")[0])

    def test_long_words_end_early(self):
        ids, begins = self.of("otorhamnolaryngology x")
        self.assertEqual(ids[0][1 : MOST + 1], self.ids(*["o", *("##" + c for c in "torha")]))
        self.assertEqual(begins, [[1, MOST + 1]])

    def test_long_texts_are_not_cut(self):
        ids, _ = self.of("x " * 39 + "fever")
        self.assertEqual(ids[0], [CLS] + self.ids("x") * 39 + self.ids("fever") + [SEP])

    def test_what_no_piece_has_is_unknown(self):
        ids, begins = self.of("\u4e00 x", "\u00ad x")  # nothing is left of a soft hyphen
        self.assertEqual(ids, [[CLS, UNKNOWN, *self.ids("x"), SEP]] * 2)
        self.assertEqual(begins, [[1, 2]] * 2)

    def test_unseen_words_are_one_unknown_piece(self):
        unseen = np.array([[True, False, False], [False, True, True]])
        ids, begins = self.of("pain fever pain", "fever", unseen=unseen)
        self.assertEqual(ids[0], [CLS, UNKNOWN, *self.ids("fever", "pa", "##in"), SEP])
        self.assertEqual(ids[1][:3], [CLS, *self.ids("fever"), SEP])
        self.assertEqual(begins, [[1, 2, 3], [1, 0, 0]])

    def test_names_are_unseen_more_often(self):
        made = Corpus(
            [Store(*encode([{"words": ["fever", "pain"] * 9, "tags": ["O", "B-NAME"] * 9}] * 200, 256))],
            abc.Alphabet("abc"),
            abc.Words([]),
            cases=True,
        )
        assemble = Assembler(made, {"unseen": 0.4}, None, np.random.default_rng(0), pieces.Pieces(made, self.tokenizer))
        batch = assemble(np.arange(len(made)))
        first = batch.pieces.gather(1, batch.begins).numpy() == UNKNOWN
        self.assertAlmostEqual(first[:, 1::2].mean(), 0.4, delta=0.04)
        self.assertAlmostEqual(first[:, ::2].mean(), 0.05, delta=0.02)

    def test_package_that_is_not_there(self):
        with self.assertRaisesRegex(FileNotFoundError, "no_such_package"):
            pieces.checkpoint("package:no_such_package/model")


class Encoder(Made):
    def batch(self):
        rng = np.random.default_rng(1)
        inside = np.arange(12) < np.array([12, 5, 1])[:, None]
        vocabulary = self.bert.config.vocab_size
        return torch.from_numpy(export.random_pieces(rng, inside, vocabulary)[0])

    def test_states_are_those_of_bert(self):
        ids = self.batch()
        mask = (ids != 0).long()
        with torch.no_grad():
            want = self.bert(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
            for layers in (1, 2):
                got = pieces.Encoder.of(self.folder.name, layers, 0.1).eval()(ids)
                apart = ((got - want[layers]) * mask[..., None]).abs().max()
                self.assertLess(float(apart), 1e-5, layers)

    def test_alone_as_in_a_batch(self):
        encoder, ids = pieces.Encoder.of(self.folder.name, 2, 0.1).eval(), self.batch()
        with torch.no_grad():
            together = encoder(ids)
            for row, states in zip(ids, together):
                length = int((row != 0).sum())
                alone = encoder(row[None, :length])[0]
                self.assertLess(float((alone - states[:length]).abs().max()), 1e-5)

    def test_checkpoints_with_a_prefix(self):
        """Those of whole models call the encoder's weights bert.*"""
        one, two = (pieces.Encoder.of(self.folder.name, 1, 0.1) for _ in range(2))
        two.take({"bert." + name: value for name, value in self.bert.state_dict().items()})
        for name, value in one.state_dict().items():
            self.assertTrue(torch.equal(value, two.state_dict()[name]), name)


class Network(Made):
    """A toy network of kind pieces, trained and released."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        network = toy.small("pieces")
        network["encoder"]["checkpoint"] = cls.folder.name
        network["fine_tuning"] |= {"epochs": 6}
        cls.settings = toy.settings(cls.folder.name, **network)
        with open(os.path.join(cls.folder.name, "lexicon.tsv"), "w", encoding="utf-8") as file:
            file.write("seen\t0 0 9 1 0 0 0\nann\t8 3 1 0 0 0 0\n")
        prepare.prepare(cls.settings)
        cls.run_ = train.Run(cls.settings, "toy", minutes=0)
        cls.before = {n: v.clone() for n, v in cls.run_.tagger.state_dict().items()}
        cls.run_.train()
        cls.made = release.release(cls.settings, "toy")

    def card(self):
        with open(os.path.join(self.made, "card.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_layout(self):
        want = {"card.json", "card.md", "config.json", "model.onnx", "parity.json", "tokenizer.json", "weights.pt", "words.txt"}
        self.assertEqual(set(os.listdir(self.made)), want)
        self.assertEqual(set(self.card()["sha256"]), {"model.onnx", "config.json", "words.txt", "parity.json", "tokenizer.json"})
        with open(os.path.join(self.made, "config.json"), encoding="utf-8") as file:
            block = json.load(file)["pgdeid"]
        self.assertEqual(block["pieces"], {"most": MOST, "cls": CLS, "sep": SEP, "unknown": UNKNOWN})
        self.assertEqual((block["features"], block["window"]), (len(features.SIZES), export.WINDOW))

    def test_learns_unseen_names(self):
        figures, _ = evaluate.evaluate(self.made, self.settings, show=lambda text: None)
        row = next(f for f in figures if f["class"] == "ANY" and not f["type"] and not f["group"])
        self.assertGreater(row["f1"], 0.8)

    def test_alone_as_in_a_batch(self):
        sess, tagger = export.session(os.path.join(self.made, "model.onnx")), self.run_.tagger.eval()
        names, rng = export.inputs_of(tagger), np.random.default_rng(4)
        self.assertEqual(set(names), {i.name for i in sess.get_inputs()})
        batch = export.random_batch(rng, 4, 15, 20, len(self.run_.letters), len(self.run_.words), export.wordpieces(tagger))
        with torch.no_grad():
            want = tagger(**{n: torch.from_numpy(batch[n]) for n in names}).numpy()
            for i, length in enumerate(batch["lengths"]):
                one = export.alone(batch, i, length, names)
                alone = tagger(**{n: torch.from_numpy(one[n]) for n in names}).numpy()[0]
                self.assertLess(float(np.abs(alone - want[i, :length]).max()), 1e-4)
                self.assertLess(float(np.abs(export.run(sess, one)[0] - alone).max()), 1e-2)

    def test_parity_has_features(self):
        """The columns are those with which the exported network gives the labels."""
        with open(os.path.join(self.made, "parity.json"), encoding="utf-8") as file:
            examples = json.load(file)
        known = [row for e in examples for w, row in zip(e["words"], e["features"]) if w == "Seen"]
        self.assertIn([0, 0, 0, 0, 0, 9, 1, 0, 0, 0], known)
        sess = export.session(os.path.join(self.made, "model.onnx"))
        model = evaluate.Exported(self.made)
        for example in examples:
            sentence = {"words": example["words"], "gaps": example["gaps"]}
            made = Corpus([Store(*encode([sentence], 256))], model.letters, model.words)
            batch = export.dense(export.assembler(made, model.pieces)(np.array([0])), made)
            batch["features"] = np.array([example["features"]], np.int64) + features.OFFSETS
            self.assertEqual(export.run(sess, batch)[0].argmax(1).tolist(), example["labels"])

    def test_shipped_folder_has_the_weights(self):
        got = shipped.load(self.made, self.settings["networks"]["toy"], lambda word: 1)["tagger"]
        want = self.run_.tagger.state_dict()
        self.assertEqual(got.keys(), want.keys())
        for name, value in want.items():
            self.assertLess(float((got[name] - value).abs().max()), 1e-4, name)

    def test_words_of_the_encoder_stay(self):
        after = self.run_.tagger.state_dict()
        self.assertTrue(torch.equal(after["encoder.words.weight"], self.before["encoder.words.weight"]))
        self.assertFalse(torch.equal(after["encoder.layers.0.grow.weight"], self.before["encoder.layers.0.grow.weight"]))

    def test_encoder_learns_slower(self):
        made = train.groups(self.run_.tagger.parameters(), 0.01)
        slow = {id(p) for g in made if g["slower"] == 0.5 for p in g["params"]}
        want = {id(p) for n, p in self.run_.tagger.named_parameters() if n.startswith("encoder.") and n != "encoder.words.weight"}
        self.assertEqual(slow, want)
        for group in made:
            self.assertEqual({p.dim() > 1 for p in group["params"]}, {group["weight_decay"] > 0})
        self.assertEqual(sum(len(g["params"]) for g in made), sum(p.requires_grad for p in self.run_.tagger.parameters()))

    def test_next_version_goes_on_from_the_last(self):
        base = os.path.join(self.made, "weights.pt")
        run = train.Run(self.settings, "toy", minutes=0, base=base)
        saved = weights.load(base)["tagger"]
        for name, value in run.tagger.state_dict().items():
            self.assertTrue(torch.equal(value, saved[name]), name)

    def test_embeddings_as_bytes(self):
        """A byte for each number of an embedding moves logits less than int8 products may."""
        with tempfile.TemporaryDirectory() as out:
            path = export.to_onnx(self.run_.tagger.eval(), 20, os.path.join(out, "m.onnx"), half=False)
            model = onnx.load(path)
            export.halve_embeddings(model, least=1000, bytes_from=3000)
            onnx.checker.check_model(model)
            onnx.save(model, path)
            stored = {t.name: t.data_type for t in model.graph.initializer}
            self.assertEqual(stored["encoder.words.weight"], onnx.TensorProto.INT8)
            self.assertEqual(stored["encoder.positions.weight"], onnx.TensorProto.INT8)
            self.assertEqual(list(stored.values()).count(onnx.TensorProto.INT8), 2)
            got = export.check(self.run_.tagger, path, self.run_.letters, self.run_.words)
        self.assertLess(got["alone and in a batch"], export.ALIKE)
        self.assertTrue(0 < got["to PyTorch"] < export.BYTES, got)


    def test_another_network_is_an_error(self):
        other = copy.deepcopy(self.run_.tagger).eval()
        with torch.no_grad():
            other.labels.bias[1] += 0.1
        with self.assertRaisesRegex(AssertionError, "differ from PyTorch"):
            export.check(other, os.path.join(self.made, "model.onnx"), self.run_.letters, self.run_.words, rounds=1)


class Rows(unittest.TestCase):
    def test_each_row_has_its_scale(self):
        table = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32) * np.logspace(-3, 2, 50, dtype=np.float32)[:, None]
        small, scale = export.rows_as_bytes(table)
        self.assertEqual((small.dtype, scale.shape), (np.int8, (50, 1)))
        self.assertTrue((np.abs(small * scale - table) <= scale / 2 * 1.001).all())
        self.assertTrue((np.abs(small).max(axis=1) == 127).all())

    def test_row_of_zeros(self):
        small, scale = export.rows_as_bytes(np.zeros((2, 3), np.float32))
        self.assertFalse(small.any())
        self.assertTrue((scale > 0).all())


class Widened(unittest.TestCase):
    def test_further_inputs_begin_with_zeros(self):
        saved = {"weight": torch.ones(2, 3), "bias": torch.tensor([1.0, 2.0])}
        made = weights.widened(torch.nn.Linear(5, 2), saved)
        self.assertEqual(made["weight"].tolist(), [[1, 1, 1, 0, 0]] * 2)
        self.assertTrue(torch.equal(made["bias"], saved["bias"]))

    def test_what_was_not_there_keeps_its_beginning(self):
        network = torch.nn.Linear(3, 2)
        made = weights.widened(network, {"weight": torch.ones(2, 3)})
        self.assertTrue(torch.equal(made["bias"], network.bias))

    def test_other_shapes_do_not_fit(self):
        for shape in ((3, 3), (2, 6), (2,)):
            with self.assertRaisesRegex(ValueError, "weight has the shape"):
                weights.widened(torch.nn.Linear(5, 2), {"weight": torch.ones(shape)})

    def test_a_network_with_features_begins_as_the_one_without(self):
        torch.manual_seed(1)
        small = toy.small("lstm")
        before = networks.Tagger("lstm", 40, 50, 7, small["front"], small["encoder"]).eval()
        after = networks.Tagger("lstm", 40, 50, 7, small["front"] | {"feature_size": 6}, small["encoder"]).eval()
        after.load_state_dict(weights.widened(after, before.state_dict()))
        made = export.random_batch(np.random.default_rng(0), 3, 8, 20, 40, 50)
        given = {n: torch.from_numpy(made[n]) for n in ("chars", "words", "gaps", "features")}
        with torch.no_grad():
            self.assertLess(float((before(**given) - after(**given)).abs().max()), 1e-5)


if __name__ == "__main__":
    unittest.main()
