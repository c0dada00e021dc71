"""A network is trained, interrupted, exported, quantised and scored, all for real."""

import copy
import json
import os
import tempfile
import unittest

import numpy as np
import onnx
import toy
import torch

import ablate
import evaluate
import export
import features
import prepare
import quantise
import release
import shipped
import train
import weights


class Trained(unittest.TestCase):
    """One tiny network of each kind, trained on toys and released."""

    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(1)
        cls.folder = tempfile.TemporaryDirectory()
        cls.made = {}
        for kind in ("lstm", "transformer", "ann"):
            folder = os.path.join(cls.folder.name, kind)
            os.makedirs(folder)
            network = toy.small(kind)
            if kind == "transformer":
                network["language"] = {"share": 0.3, "epochs": 1, "frequent": 10}
            settings = toy.settings(folder, **network)
            prepare.prepare(settings)
            train.Run(settings, "toy", minutes=0).train()
            cls.made[kind] = (settings, release.release(settings, "toy"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_folder_is_complete(self):
        for settings, folder in self.made.values():
            self.assertEqual(os.path.basename(folder), "toy-v1")
            want = ["card.json", "card.md", "config.json", "model.onnx", "parity.json", "weights.pt", "words.txt"]
            self.assertEqual(sorted(os.listdir(folder)), want)
            with open(os.path.join(folder, "card.json"), encoding="utf-8") as file:
                card = json.load(file)
            self.assertEqual(card["sha256"], export.sums(folder, ["model.onnx", "config.json", "words.txt", "parity.json"]))
            self.assertEqual(card["data"], [{"source": "toy", "licence": "as its owner says", "sentences": 600}])

    def test_learns_unseen_names(self):
        for kind, (settings, folder) in self.made.items():
            figures, _ = evaluate.evaluate(folder, settings, show=lambda text: None)
            for name in ("NAME", "LOCATION", "AGE", "ANY"):
                row = next(f for f in figures if f["class"] == name and not f["type"] and not f["group"])
                self.assertGreater(row["f1"], 0.8, f"{kind} {name}")

    def test_onnx_is_pytorch(self):
        for settings, folder in self.made.values():
            tagger, letters, words, _, _ = export.load_run(settings, "toy")
            with tempfile.TemporaryDirectory() as out:
                path = export.to_onnx(tagger, letters.word_chars, os.path.join(out, "m.onnx"), half=False)
                got = export.check(tagger, path, letters, words)
                self.assertLess(got["to PyTorch"], 1e-4)

    def test_large_embeddings_are_halved(self):
        settings, _ = self.made["lstm"]
        tagger, letters, words, _, _ = export.load_run(settings, "toy")
        with tempfile.TemporaryDirectory() as out:
            path = export.to_onnx(tagger, letters.word_chars, os.path.join(out, "m.onnx"), half=False)
            model = onnx.load(path)
            export.halve_embeddings(model, least=100)
            onnx.checker.check_model(model)
            onnx.save(model, path)
            self.assertTrue(any(t.data_type == onnx.TensorProto.FLOAT16 for t in model.graph.initializer))
            self.assertLess(export.check(tagger, path, letters, words)["to PyTorch"], 0.02)

    def test_int8_does_not_depend_on_the_batch(self):
        settings, folder = self.made["transformer"]
        tagger, letters, words, _, _ = export.load_run(settings, "toy")
        with tempfile.TemporaryDirectory() as out:
            path = os.path.join(out, "small.onnx")
            quantise.quantise(os.path.join(folder, "model.onnx"), path, least=32)
            self.assertTrue(any(n.op_type == "MatMulInteger" for n in onnx.load(path).graph.node))
            got = export.check(tagger, path, letters, words, against_torch=False)
            self.assertEqual(got["alone and in a batch"], 0.0)
            self.assertLess(got["to PyTorch"], 1.0)

    def test_parity_file(self):
        for settings, folder in self.made.values():
            with open(os.path.join(folder, "parity.json"), encoding="utf-8") as file:
                sentences = json.load(file)
            self.assertGreater(len(sentences), 10)
            for s in sentences:
                self.assertEqual(len(s["words"]), len(s["labels"]))
                self.assertEqual(len(s["words"]), len(s["gaps"]))
                self.assertEqual([len(row) for row in s["features"]], [len(features.SIZES)] * len(s["words"]))

    def test_sequences_are_written_and_read(self):
        """What is exported scores sequences as PyTorch does, Viterbi included."""
        settings, folder = self.made["ann"]
        tagger, letters, words, labels, _ = export.load_run(settings, "toy")
        model = evaluate.Exported(folder)
        corpus = model.corpus(settings, ["held.jsonl"])
        chances, path = model.logits(corpus)
        assemble = export.Assembler(corpus)
        with torch.no_grad():
            for rows in export.in_order(corpus, 16):
                batch = assemble(rows)
                inside = batch.words != 0
                logits = tagger(**batch.inputs())
                best, marginals = tagger.sequence.best(logits, inside), tagger.sequence.marginals(logits, inside)
                for i, row in enumerate(rows):
                    part = slice(corpus.starts[row], corpus.starts[row + 1])
                    length = part.stop - part.start
                    self.assertEqual(path[part].tolist(), best[i, :length].tolist())
                    apart = np.exp(chances[part]) - marginals[i, :length].exp().numpy()
                    self.assertLess(float(np.abs(apart).max()), 1e-3)

    def test_parity_has_the_best_sequences(self):
        """Also where a step decides: with others the labels would be others."""
        settings, folder = self.made["ann"]
        tagger, letters, words, _, _ = export.load_run(settings, "toy")
        sess = export.session(os.path.join(folder, "model.onnx"))
        with torch.no_grad():
            tagger.sequence.start[1] += 50  # every sentence begins with a B
        examples = export.parity(sess, [export.made_up(letters, words)], sequence=tagger.sequence)
        self.assertTrue(examples)
        for example in examples:
            self.assertEqual(example["labels"][0], 1)

    def test_layers_of_another_network(self):
        settings, folder = self.made["ann"]
        settings = copy.deepcopy(settings)
        net = settings["networks"]["toy"]
        net["sequence"], net["encoder"] = False, {"hidden": [20], "dropout": 0.1}
        run = train.Run(settings, "toy", minutes=0, layers=os.path.join(folder, "weights.pt"))
        self.assertIn("front.words.weight", run.state["layers"])
        self.assertFalse([n for n in run.state["layers"] if n.startswith(("encoder.", "sequence."))])
        saved = weights.load(os.path.join(folder, "weights.pt"))
        self.assertTrue(torch.equal(run.tagger.front.chars.embed.weight, saved["tagger"]["front.chars.embed.weight"]))
        self.assertEqual(run.words.words, saved["words"])
        with self.assertRaises(ValueError):
            weights.take_over(run.tagger, {"other": torch.zeros(3)})

    def test_shipped_folder_has_the_weights(self):
        """What is read back out of a model folder is what was trained, as exactly as the
        folder has it, and training goes on from it."""
        for kind, (settings, folder) in self.made.items():
            net, want = settings["networks"]["toy"], weights.load(os.path.join(folder, "weights.pt"))
            got = shipped.load(folder, net, lambda word: 7)
            self.assertEqual(got["words"], want["words"], kind)
            self.assertEqual(got["counts"].tolist()[2:], [7] * len(want["words"]))
            self.assertEqual(got["tagger"].keys(), want["tagger"].keys(), kind)
            for name, value in want["tagger"].items():
                self.assertLess(float((got["tagger"][name] - value).abs().max()), 1e-4, f"{kind} {name}")
        settings = copy.deepcopy(self.made["lstm"][0])
        settings["networks"]["toy"]["fine_tuning"]["epochs"] = 1
        with tempfile.TemporaryDirectory() as runs:
            settings["folders"]["runs"] = runs
            run = train.Run(settings, "toy", minutes=0, base=self.made["lstm"][1])
            run.train()
        self.assertEqual(release.base_of(run.state["base"]), "toy-v1")

    def test_shipped_int8_has_the_weights(self):
        settings, folder = self.made["transformer"]
        tagger, letters, _, _, _ = export.load_run(settings, "toy")
        want = {name: value.clone() for name, value in tagger.state_dict().items()}
        with tempfile.TemporaryDirectory() as out:
            path, small = os.path.join(out, "m.onnx"), os.path.join(out, "small.onnx")
            export.to_onnx(tagger, letters.word_chars, path, half=False)
            model = onnx.load(path)
            export.halve_embeddings(model, least=100, bytes_from=1000)
            onnx.save(model, path)
            self.assertTrue(quantise.quantise(path, small, least=32))
            got = shipped.read(tagger, letters, small)
        for name, value in want.items():
            self.assertLess(float((got[name] - value).abs().max()), float(value.abs().max()) / 60, name)

    def test_shipped_of_another_kind_is_refused(self):
        other, (settings, _) = self.made["lstm"][1], self.made["ann"]
        with self.assertRaises(ValueError):
            shipped.load(other, settings["networks"]["toy"], lambda word: 1)

    def test_variants_without_a_part(self):
        """Networks that leave a part out are exported and read like the others."""
        for name, change in {
            "no characters": {"front": {"characters": "none", "word_size": 16}},
            "no words": {"front": {"characters": "lstm", "char_size": 8, "char_hidden": 8, "word_size": 0}},
            "no sequences": {"sequence": False},
        }.items():
            settings = copy.deepcopy(self.made["ann"][0])
            settings["networks"]["toy"] |= change
            settings["networks"]["toy"]["fine_tuning"]["epochs"] = 1
            with tempfile.TemporaryDirectory() as folder:
                settings["folders"] |= {"runs": folder + "/runs", "out": folder + "/out"}
                train.Run(settings, "toy", minutes=0).train()
                made = release.release(settings, "toy")
                with open(os.path.join(made, "config.json"), encoding="utf-8") as file:
                    self.assertEqual("crf" in json.load(file)["pgdeid"], name != "no sequences", name)

    def test_ablation(self):
        settings = copy.deepcopy(self.made["ann"][0])
        settings["networks"]["toy"]["fine_tuning"]["epochs"] = 1
        settings["networks"]["bare"] = settings["networks"]["toy"] | {"sequence": False}
        with tempfile.TemporaryDirectory() as folder:
            settings["folders"]["runs"] = folder
            lines = []
            ablate.ablate(settings, ["toy", "bare"], 20, show=lines.append)
        self.assertEqual([line.split(" | ")[:2] for line in lines[1:]], [["| toy", "20"], ["| bare", "20"]])
        self.assertTrue(all(line.count("|") == 10 for line in "\n".join(lines).split("\n")))

    def test_next_version_goes_on_from_the_last(self):
        settings, folder = self.made["lstm"]
        base = os.path.join(folder, "weights.pt")
        toy.write(os.path.join(settings["folders"]["data"], "errors.jsonl"), [{"words": ["Seen", "by", "Quxxe"], "tags": ["O", "O", "B-NAME"]}] * 40)
        settings = copy.deepcopy(settings)
        settings["files"]["extra"] = ["errors.jsonl"]
        settings["networks"]["toy"]["fine_tuning"]["epochs"] = 1
        train.Run(settings, "toy", minutes=0, base=base).train()
        made = release.release(settings, "toy")
        self.assertEqual(os.path.basename(made), "toy-v2")
        with open(os.path.join(made, "card.json"), encoding="utf-8") as file:
            card = json.load(file)
        self.assertEqual((card["version"], card["base"]), (2, "toy-v1"))
        self.assertEqual(sum(d["sentences"] for d in card["data"]), 640)


class Interrupted(Exception):
    pass


class Resume(unittest.TestCase):
    def trained(self, folder, stop_at=None):
        """Weights after training, with one interruption at a step if asked for."""
        settings = toy.settings(folder)
        settings["networks"]["toy"]["fine_tuning"]["epochs"] = 2
        settings["networks"]["toy"]["fine_tuning"]["batch"] = 32
        prepare.prepare(settings)
        run = train.Run(settings, "toy", minutes=0)
        if stop_at:
            step = train.Work.step

            def stopping(work, rows):
                if run.state["step"] == stop_at:
                    raise Interrupted
                return step(work, rows)

            train.CHECKPOINT_SECONDS, train.Work.step = -1, stopping
            try:
                with self.assertRaises(Interrupted):
                    run.train()
            finally:
                train.CHECKPOINT_SECONDS, train.Work.step = 180, step
            run = train.Run(settings, "toy", minutes=0, resume=True)
            self.assertEqual(run.state["step"], stop_at)
        run.train()
        return weights.load(os.path.join(settings["folders"]["runs"], "toy", "model.pt"))

    def test_interrupted_run_makes_the_same_number_of_steps(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            whole, parts = self.trained(one), self.trained(two, stop_at=25)
        self.assertEqual(whole["state"]["steps"]["tags"]["steps"], parts["state"]["steps"]["tags"]["steps"])

    def test_same_seed_same_network(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            first, second = self.trained(one), self.trained(two)
        for name, value in first["tagger"].items():
            self.assertTrue(torch.equal(value, second["tagger"][name]), name)


class Quantise(unittest.TestCase):
    def test_seven_bits(self):
        weight = np.random.default_rng(0).normal(size=(64, 16)).astype(np.float32)
        small, scale = quantise.rounded(weight)
        self.assertLessEqual(int(np.abs(small).max()), 63)
        self.assertLess(float(np.abs(small * scale - weight).max()), float(scale.max()) / 2 + 1e-6)

    def test_column_of_zeros(self):
        small, scale = quantise.rounded(np.zeros((4, 2), np.float32))
        self.assertFalse(small.any())
        self.assertTrue(np.isfinite(scale).all())


if __name__ == "__main__":
    unittest.main()
