import unittest

import numpy as np
import toy
import torch

import export
import networks
from networks import Tagger


def tiny(kind):
    torch.manual_seed(5)
    made = toy.small(kind)
    return Tagger(kind, 40, 50, 7, made["front"], made["encoder"], made.get("sequence", False)).eval()


def batch(sentences=5, longest=9, seed=0):
    made = export.random_batch(np.random.default_rng(seed), sentences, longest, 20, 40, 50)
    return made["lengths"], [torch.from_numpy(made[n]) for n in export.INPUTS]


class Padding(unittest.TestCase):
    def test_turned(self):
        words = torch.tensor([[3, 4, 5, 0], [6, 0, 0, 0], [1, 2, 3, 4]])
        self.assertEqual(networks.turned(words).tolist(), [[2, 1, 0, 3], [0, 1, 2, 3], [3, 2, 1, 0]])

    def test_turned_twice_is_as_before(self):
        words = torch.tensor([[3, 4, 5, 0, 0], [7, 7, 7, 7, 0]])
        x, places = torch.randn(2, 5, 3), networks.turned(words)
        self.assertTrue(torch.equal(networks.turn(networks.turn(x, places), places), x))

    def test_alone_as_in_a_batch(self):
        for kind in ("lstm", "transformer", "ann"):
            network, (lengths, inputs) = tiny(kind), batch()
            with torch.no_grad():
                together = network(*inputs)
                for i, length in enumerate(lengths):
                    alone = network(*(x[i : i + 1, :length] for x in inputs))
                    self.assertLess(float((alone[0] - together[i, :length]).abs().max()), 1e-5, kind)

    def test_backward_reads_the_last_word_first(self):
        """A change of the last word reaches the first one, whatever padding follows."""
        for kind in ("lstm", "transformer", "ann"):
            network, (_, inputs) = tiny(kind), batch(sentences=1, longest=4)
            padded = [torch.cat([x, torch.zeros_like(x[:, :3])], dim=1) for x in inputs]
            with torch.no_grad():
                before = network(*padded)
                padded[1][0, 3] = 49 if padded[1][0, 3] != 49 else 48
                after = network(*padded)
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
        lengths, inputs = batch()
        for front in ({"characters": "none"}, {"characters": "lstm", "word_size": 0}, {"characters": "cnn"}):
            network = Tagger("ann", 40, 50, 7, front, {"hidden": [8]}, True).eval()
            self.assertEqual(tuple(network(*inputs).shape), (5, 9, 7))
            changed = [x.clone() for x in inputs]
            changed[0][:, 0], changed[1][:, 0] = 7, 33
            with torch.no_grad():
                chars = network(changed[0], *inputs[1:]) - network(*inputs)
                words = network(inputs[0], changed[1], inputs[2]) - network(*inputs)
            self.assertEqual(float(chars.abs().max()) > 0, front["characters"] != "none", front)
            self.assertEqual(float(words.abs().max()) > 0, front.get("word_size", 64) > 0, front)
        for front in ({"characters": "none", "word_size": 0}, {"characters": "picture"}):
            with self.assertRaises(ValueError):
                Tagger("ann", 40, 50, 7, front, {})

    def test_weights_beyond_a_width_stay_zero(self):
        network, (_, inputs) = tiny("lstm").train(), batch()
        optimizer = torch.optim.AdamW(network.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            network(*inputs).square().sum().backward()
            optimizer.step()
        front = network.front.chars
        self.assertEqual(float((front.weight.detach() * (1 - front.keep)).abs().max()), 0.0)

    def test_distinct_words_once_is_the_same(self):
        for kind in ("lstm", "ann"):
            network, (_, (chars, words, gaps)) = tiny(kind), batch()
            flat = chars.reshape(-1, 20)
            unique, spread = torch.unique(flat, dim=0, return_inverse=True)
            with torch.no_grad():
                whole = network(chars, words, gaps)
                once = network([unique[:3], unique[3:]], words, gaps, spread.reshape(words.shape))
            self.assertTrue(torch.allclose(whole, once, atol=1e-5), kind)


if __name__ == "__main__":
    unittest.main()
