"""A tiny BERT: trained as a language model and as a tagger, exported, scored."""

import json
import os
import tempfile
import unittest

import numpy as np
import toy
import torch

import bert
import evaluate
import prepare
import release
import weights
from train_bert import BertRun


class Bert(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(1)
        cls.folder = tempfile.TemporaryDirectory()
        network = toy.small("bert") | {"language": {"share": 0.2, "epochs": 1}}
        network["encoder"] = {"vocabulary": 300, "hidden": 48, "layers": 1, "heads": 4, "inner": 64}
        network["fine_tuning"] = {"epochs": 5, "rate": 1e-2, "warm_up": 0.2, "batch": 16}
        cls.settings = toy.settings(cls.folder.name, **network)
        prepare.prepare(cls.settings)
        cls.run_ = BertRun(cls.settings, "toy", minutes=0)
        cls.run_.train()
        cls.made = release.release(cls.settings, "toy")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_layout(self):
        want = ["card.json", "card.md", "config.json", "model.onnx", "parity.json", "tokenizer.json", "weights.pt"]
        self.assertEqual(sorted(os.listdir(self.made)), want)
        with open(os.path.join(self.made, "config.json"), encoding="utf-8") as file:
            config = json.load(file)
        self.assertEqual(config["model_type"], "bert")
        self.assertEqual(config["id2label"]["0"], "O")

    def test_learns(self):
        figures, _ = evaluate.evaluate(self.made, self.settings, show=lambda text: None)
        row = next(f for f in figures if f["class"] == "NAME" and not f["type"] and not f["group"])
        self.assertGreater(row["recall"], 0.6)

    def test_pieces_lie_in_their_words(self):
        corpus = self.run_._words(["held.jsonl"])
        made = bert.PieceCorpus(corpus, self.run_.tokenizer)
        for row in range(20):
            part = slice(made.starts[row], made.starts[row + 1])
            words, _, tags = corpus.sentence(row)
            self.assertEqual(made.words[part][[0, -1]].tolist(), [-1, -1])
            for i, (word, tag) in enumerate(zip(words, tags)):
                at = np.flatnonzero(made.words[part] == i)
                pieces = [self.run_.tokenizer.id_to_token(int(p)).removeprefix("##") for p in made.pieces[part][at]]
                if "[UNK]" not in pieces:
                    self.assertEqual("".join(pieces), word)
                gold = [made.tag_ids.pairs[t][0] for t in made.tags[part][at]]
                self.assertEqual(gold, [tag] + ["I" + tag[1:] if tag != "O" else "O"] * (len(at) - 1))

    def test_next_version_takes_over_the_tokeniser(self):
        run = BertRun(self.settings, "toy", minutes=0, base=os.path.join(self.made, "weights.pt"))
        self.assertEqual(run.tokenizer.to_str(), self.run_.tokenizer.to_str())
        saved = weights.load(os.path.join(self.made, "weights.pt"))
        for name, value in run.tagger.state_dict().items():
            self.assertTrue(torch.equal(value.cpu(), saved["tagger"][name]), name)


if __name__ == "__main__":
    unittest.main()
