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
    return Tagger(kind, 40, 50, 7, made["front"], made["encoder"]).eval()


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
        for kind in ("lstm", "transformer"):
            network, (lengths, inputs) = tiny(kind), batch()
            with torch.no_grad():
                together = network(*inputs)
                for i, length in enumerate(lengths):
                    alone = network(*(x[i : i + 1, :length] for x in inputs))
                    self.assertLess(float((alone[0] - together[i, :length]).abs().max()), 1e-5, kind)

    def test_backward_reads_the_last_word_first(self):
        """A change of the last word reaches the first one, whatever padding follows."""
        for kind in ("lstm", "transformer"):
            network, (_, inputs) = tiny(kind), batch(sentences=1, longest=4)
            padded = [torch.cat([x, torch.zeros_like(x[:, :3])], dim=1) for x in inputs]
            with torch.no_grad():
                before = network(*padded)
                padded[1][0, 3] = 49 if padded[1][0, 3] != 49 else 48
                after = network(*padded)
            self.assertGreater(float((before - after)[0, 0].abs().max()), 0, kind)


class Characters(unittest.TestCase):
    def test_padding_of_words_changes_nothing(self):
        front = tiny("lstm").front.chars
        chars = torch.tensor([[5, 6, 7, 0, 0, 0, 0, 0], [5, 6, 7, 8, 9, 5, 6, 7]])
        wide = torch.nn.functional.pad(chars, (0, 12))
        self.assertTrue(torch.allclose(front(chars), front(wide), atol=1e-6))

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
        network, (_, (chars, words, gaps)) = tiny("lstm"), batch()
        flat = chars.reshape(-1, 20)
        unique, spread = torch.unique(flat, dim=0, return_inverse=True)
        with torch.no_grad():
            whole = network(chars, words, gaps)
            once = network([unique[:3], unique[3:]], words, gaps, spread.reshape(words.shape))
        self.assertTrue(torch.allclose(whole, once, atol=1e-5))


if __name__ == "__main__":
    unittest.main()
