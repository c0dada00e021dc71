"""Sums over sequences of labels against all sequences, one after the other."""

import itertools
import unittest

import toy  # noqa: F401 first: it makes the code importable
import numpy as np
import torch

import sequence
from sequence import SequenceLoss, Transitions

LABELS, WORDS = 4, 5


def random_transitions(seed, size=1.0):
    rng = torch.Generator().manual_seed(seed)
    made = Transitions(LABELS).double()
    for value in made.parameters():
        value.data = torch.randn(value.shape, generator=rng, dtype=torch.float64) * size
    return made


def random_logits(seed, sentences=3, size=1.0):
    rng = torch.Generator().manual_seed(seed)
    return torch.randn(sentences, WORDS, LABELS, generator=rng, dtype=torch.float64) * size


def padded(lengths):
    return torch.arange(WORDS) < torch.tensor(lengths)[:, None]


def score(made, logits, path):
    total = made.start[path[0]] + made.end[path[-1]]
    for word, label in enumerate(path):
        total = total + logits[word, label]
        if word:
            total = total + made.steps[path[word - 1], label]
    return total


def scores(made, logits, allowed=None):
    """{sequence: its score}, of those that the words' allowed labels make."""
    choices = allowed or [range(LABELS)] * len(logits)
    return {path: float(score(made, logits, path)) for path in itertools.product(*choices)}


def log_sum(values):
    return float(torch.logsumexp(torch.tensor(list(values), dtype=torch.float64), 0))


class Sums(unittest.TestCase):
    def cases(self):
        for seed, size in enumerate((0.2, 1.0, 6.0)):
            lengths = [WORDS, 1, 3]
            yield random_transitions(seed, size), random_logits(seed + 9, 3, size), padded(lengths), lengths

    def test_total(self):
        for made, logits, inside, lengths in self.cases():
            for got, row, length in zip(made.total(logits, inside), logits, lengths):
                self.assertAlmostEqual(float(got.detach()), log_sum(scores(made, row[:length]).values()), places=6)

    def test_marginals(self):
        for made, logits, inside, lengths in self.cases():
            got = made.marginals(logits, inside).detach().exp()
            for i, length in enumerate(lengths):
                all_scores = scores(made, logits[i, :length])
                total = log_sum(all_scores.values())
                want = np.zeros((length, LABELS))
                for path, value in all_scores.items():
                    want[np.arange(length), path] += np.exp(value - total)
                self.assertLess(float(np.abs(got[i, :length].numpy() - want).max()), 1e-6)

    def test_best_and_its_margin(self):
        for made, logits, inside, lengths in self.cases():
            path = made.best(logits, inside)
            for i, length in enumerate(lengths):
                all_scores = scores(made, logits[i, :length])
                first, second = sorted(all_scores, key=all_scores.get)[-1:-3:-1]
                self.assertEqual(tuple(path[i, :length].tolist()), first)
                self.assertAlmostEqual(made.margin(logits[i, :length]), all_scores[first] - all_scores[second], places=6)

    def test_far_apart(self):
        """Scores of a trained network, and steps that can not be, in single precision."""
        made = random_transitions(1, 8.0).float()
        with torch.no_grad():
            made.steps[1, 2] = sequence.CLOSED
        logits = random_logits(2, 4, 30.0).float()
        total = made.total(logits, padded([WORDS] * 4))
        self.assertTrue(bool(torch.isfinite(total).all()))
        total.sum().backward()
        for value in made.parameters():
            self.assertTrue(bool(torch.isfinite(value.grad).all()))

    def test_corpus(self):
        """Sentences of a corpus, sorted and padded on the way, come back in order."""
        made, lengths = random_transitions(3).float(), [2, 5, 1, 4, 3]
        logits = torch.randn(sum(lengths), LABELS).numpy()
        starts = np.concatenate([[0], np.cumsum(lengths)])
        chances, path = sequence.read(made, logits, starts, size=2)
        for begin, end in zip(starts, starts[1:]):
            row, inside = torch.from_numpy(logits[begin:end])[None], torch.ones(1, end - begin, dtype=torch.bool)
            self.assertEqual(made.best(row, inside)[0].tolist(), path[begin:end].tolist())
            want = made.marginals(row, inside)[0].detach().numpy()
            self.assertLess(float(np.abs(want - chances[begin:end]).max()), 1e-5)

    def test_config_and_back(self):
        made = random_transitions(4)
        again = Transitions.of(made.config())
        for name, value in made.state_dict().items():
            self.assertLess(float((value - again.state_dict()[name]).abs().max()), 1e-5, name)


class Loss(unittest.TestCase):
    # Tags: each label, one of the last two, anything.
    ALLOWED = torch.tensor(np.concatenate([np.eye(4), [[0, 0, 1, 1]], [[1, 1, 1, 1]]]).astype(bool))
    EITHER, ANYTHING = 4, 5

    def want(self, made, row, tags):
        allowed = [[i for i in range(LABELS) if self.ALLOWED[t, i]] for t in tags]
        return log_sum(scores(made, row).values()) - log_sum(scores(made, row, allowed).values())

    def test_is_minus_log_of_what_is_allowed(self):
        made, logits = random_transitions(5), random_logits(6, 2)
        tags = torch.tensor([[0, 1, self.EITHER, self.ANYTHING, 2], [self.EITHER, 3, 0, 5, 5]])
        want = self.want(made, logits[0], tags[0].tolist()) + self.want(made, logits[1, :3], tags[1, :3].tolist())
        got = SequenceLoss(self.ALLOWED, made)(logits, tags, padded([5, 3]))
        self.assertAlmostEqual(float(got.detach()), want / 7, places=5)

    def test_unknown_sentences_teach_nothing(self):
        made, logits = random_transitions(7), random_logits(8).requires_grad_()
        SequenceLoss(self.ALLOWED, made)(logits, torch.full((3, WORDS), self.ANYTHING), padded([5, 2, 4])).backward()
        self.assertLess(float(logits.grad.abs().max()), 1e-9)

    def test_gradient(self):
        """Of logits, steps, start and end, against small differences."""
        made, logits = random_transitions(9), random_logits(10, 2).requires_grad_()
        tags, inside = torch.tensor([[0, 4, 5, 2, 1], [3, 4, 4, 5, 5]]), padded([5, 3])

        def loss(steps, start, end, logits):
            values = {"made.steps": steps, "made.start": start, "made.end": end}
            return torch.func.functional_call(Whole(made, self.ALLOWED), values, (logits, tags, inside))

        self.assertTrue(torch.autograd.gradcheck(loss, (made.steps, made.start, made.end, logits), eps=1e-6, atol=1e-5))

    def test_padding_gets_no_gradient(self):
        made, logits = random_transitions(11), random_logits(12).requires_grad_()
        inside = padded([2, 5, 3])
        SequenceLoss(self.ALLOWED, made)(logits, torch.zeros(3, WORDS, dtype=torch.long), inside).backward()
        self.assertEqual(float(logits.grad[~inside].abs().max()), 0.0)


class Whole(torch.nn.Module):
    """Transitions with a forward that is their loss in double precision."""

    def __init__(self, made, allowed):
        super().__init__()
        self.made, self.closed = made, torch.zeros(allowed.shape, dtype=torch.float64).masked_fill(~allowed, sequence.CLOSED)

    def forward(self, logits, tags, inside):
        return (self.made.total(logits, inside) - self.made.total(logits + self.closed[tags], inside)).sum()


if __name__ == "__main__":
    unittest.main()
