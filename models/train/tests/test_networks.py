import unittest

import numpy as np
import toy
import torch

import export
import features
import networks
from networks import Tagger


def tiny(kind, **front):
    torch.manual_seed(5)
    made = toy.small(kind)
    return Tagger(kind, 40, 50, 7, made["front"] | front, made["encoder"], made.get("sequence", False)).eval()


def kinds():
    yield from ((kind, tiny(kind)) for kind in ("lstm", "transformer", "ann"))
    yield "lstm with features", tiny("lstm", feature_size=6)


def batch(network, sentences=5, longest=9, seed=0):
    made = export.random_batch(np.random.default_rng(seed), sentences, longest, 20, 40, 50)
    return made["lengths"], {n: torch.from_numpy(made[n]) for n in export.inputs_of(network)}


class Padding(unittest.TestCase):
    def test_turned(self):
        words = torch.tensor([[3, 4, 5, 0], [6, 0, 0, 0], [1, 2, 3, 4]])
        self.assertEqual(networks.turned(words).tolist(), [[2, 1, 0, 3], [0, 1, 2, 3], [3, 2, 1, 0]])

    def test_turned_twice_is_as_before(self):
        words = torch.tensor([[3, 4, 5, 0, 0], [7, 7, 7, 7, 0]])
        x, places = torch.randn(2, 5, 3), networks.turned(words)
        self.assertTrue(torch.equal(networks.turn(networks.turn(x, places), places), x))

    def test_alone_as_in_a_batch(self):
        for kind, network in kinds():
            lengths, inputs = batch(network)
            with torch.no_grad():
                together = network(**inputs)
                for i, length in enumerate(lengths):
                    alone = network(**{n: x[i : i + 1, :length] for n, x in inputs.items()})
                    self.assertLess(float((alone[0] - together[i, :length]).abs().max()), 1e-5, kind)

    def test_backward_reads_the_last_word_first(self):
        """A change of the last word reaches the first one, whatever padding follows."""
        for kind, network in kinds():
            _, inputs = batch(network, sentences=1, longest=4)
            padded = {n: torch.cat([x, torch.zeros_like(x[:, :3])], dim=1) for n, x in inputs.items()}
            with torch.no_grad():
                before = network(**padded)
                padded["words"][0, 3] = 49 if padded["words"][0, 3] != 49 else 48
                after = network(**padded)
            self.assertGreater(float((before - after)[0, 0].abs().max()), 0, kind)


class Characters(unittest.TestCase):
    def test_padding_of_words_changes_nothing(self):
        for kind in ("lstm", "ann"):
            front = tiny(kind).front.chars
            chars = torch.tensor([[5, 6, 7, 0, 0, 0, 0, 0], [5, 6, 7, 8, 9, 5, 6, 7], [0] * 8])
            wide = torch.nn.functional.pad(chars, (0, 12))
            self.assertTrue(torch.allclose(front(chars), front(wide), atol=1e-6), kind)

    def test_both_ends_of_a_word_are_read(self):
        front = tiny("ann").front.chars
        word, first, last = front(torch.tensor([[5, 6, 7, 0], [8, 6, 7, 0], [5, 6, 8, 0]]))
        half = front.hidden
        self.assertGreater(float((word - first)[half:].abs().max()), 1e-4)  # backwards it comes last
        self.assertGreater(float((word - last)[:half].abs().max()), 1e-4)

    def test_a_word_without_characters_is_zero(self):
        self.assertEqual(float(tiny("ann").front.chars(torch.zeros(2, 5, dtype=torch.long)).abs().max()), 0.0)

    def test_fronts_without_a_part(self):
        _, inputs = batch(tiny("lstm", feature_size=6))
        for front in ({"characters": "none"}, {"characters": "lstm", "word_size": 0}, {"characters": "cnn"}, {"feature_size": 4}):
            network = Tagger("ann", 40, 50, 7, front, {"hidden": [8]}, True).eval()
            reads = {"chars": front.get("characters") != "none", "words": front.get("word_size", 64) > 0, "features": "feature_size" in front}
            with torch.no_grad():
                before = network(**inputs)
                self.assertEqual(tuple(before.shape), (5, 9, 7))
                for name, value in {"chars": 7, "words": 33, "features": 1}.items():
                    changed = inputs | {name: inputs[name].clone()}
                    changed[name][:, 0] = value
                    apart = float((network(**changed) - before).abs().max())
                    self.assertEqual(apart > 0, reads[name], (front, name))
        for front in ({"characters": "none", "word_size": 0}, {"characters": "picture"}):
            with self.assertRaises(ValueError):
                Tagger("ann", 40, 50, 7, front, {})

    def test_weights_beyond_a_width_stay_zero(self):
        network = tiny("lstm").train()
        _, inputs = batch(network)
        optimizer = torch.optim.AdamW(network.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            network(**inputs).square().sum().backward()
            optimizer.step()
        front = network.front.chars
        self.assertEqual(float((front.weight.detach() * (1 - front.keep)).abs().max()), 0.0)

    def test_distinct_words_once_is_the_same(self):
        for kind, network in kinds():
            _, inputs = batch(network)
            unique, spread = torch.unique(inputs["chars"].reshape(-1, 20), dim=0, return_inverse=True)
            blocks = {"chars": [unique[:3], unique[3:]], "spread": spread.reshape(inputs["words"].shape)}
            with torch.no_grad():
                whole, once = network(**inputs), network(**inputs | blocks)
            self.assertTrue(torch.allclose(whole, once, atol=1e-5), kind)

    def test_inputs(self):
        for network, want in (
            (tiny("lstm"), ("chars", "words", "gaps")),
            (tiny("lstm", feature_size=3), ("chars", "words", "gaps", "features")),
            (tiny("ann", characters="none"), ("words", "gaps")),
        ):
            self.assertEqual(export.inputs_of(network), want)


class Features(unittest.TestCase):
    def test_a_word_is_the_sum_of_its_rows(self):
        front = tiny("lstm", feature_size=6).front
        words, rows = torch.tensor([[2, 3]]), torch.tensor([[[4, 9, 12], [4, 10, 12]]])
        with torch.no_grad():
            made = front(torch.zeros(1, 2, 20, dtype=torch.long), words, torch.zeros_like(words), rows)[0, :, -6:]
            apart = front.features.weight[10] - front.features.weight[9]
        self.assertTrue(torch.allclose(made[1] - made[0], apart, atol=1e-6))

    def test_table_has_all_rows(self):
        self.assertEqual(tiny("lstm", feature_size=6).front.features.num_embeddings, sum(features.SIZES))


if __name__ == "__main__":
    unittest.main()
