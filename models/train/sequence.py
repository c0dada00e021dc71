"""Label sequence optimisation: a network's logits and what it learned about steps from
label to label together score whole sequences (a linear-chain CRF; paper: Dernoncourt et
al. 2017, 2.2.4; the last layer of BLSTM-CNNs-CRF).

logits [B, W, labels] and inside [B, W] of bool (False for padding at the right) go in.
The Go code that runs the networks decodes the same way (ensemble/onnx).
"""

import torch
from torch import nn

CLOSED = -1e4  # the score of what can not be
LEAST = 1e-38  # keeps the logarithm of a sum finite


class Transitions(nn.Module):
    """steps[i, j]: what a sequence gets when label j follows label i; start and end: for
    its first and last label."""

    def __init__(self, labels):
        super().__init__()
        self.steps = nn.Parameter(torch.zeros(labels, labels))
        self.start = nn.Parameter(torch.zeros(labels))
        self.end = nn.Parameter(torch.zeros(labels))

    def total(self, logits, inside):
        """-> [B]: log of the sum, over all sequences, of exp of their scores."""
        odds, shift = self._odds()
        at = self.start + logits[:, 0]
        for word in range(1, logits.shape[1]):
            after = _product(at, odds) + shift + logits[:, word]
            at = torch.where(inside[:, word, None], after, at)
        return torch.logsumexp(at + self.end, dim=1)

    def _odds(self):
        """exp of the steps, less the largest of them: a step is then a matrix product,
        many times faster than a logsumexp over [B, labels, labels]."""
        shift = self.steps.detach().max()
        return torch.exp(self.steps - shift), shift

    def marginals(self, logits, inside):
        """-> [B, W, labels]: log of the probability of each label over all sequences."""
        words = logits.shape[1]
        odds, shift = self._odds()
        forward = [self.start + logits[:, 0]]
        for word in range(1, words):
            after = _product(forward[-1], odds) + shift + logits[:, word]
            forward.append(torch.where(inside[:, word, None], after, forward[-1]))
        at = self.end.expand(len(logits), -1)
        backward = [at]
        for word in range(words - 1, 0, -1):
            before = _product(at + logits[:, word], odds.T) + shift
            at = torch.where(inside[:, word, None], before, at)
            backward.append(at)
        both = torch.stack(forward, 1) + torch.stack(backward[::-1], 1)
        return torch.log_softmax(both, dim=2)

    def best(self, logits, inside):
        """-> [B, W]: the labels of the best sequence (Viterbi); of padding, whatever."""
        return self._follow(*self._advance(logits, inside))

    def _advance(self, logits, inside):
        at, back = self.start + logits[:, 0], []
        stay = torch.arange(logits.shape[2], device=logits.device).expand(len(logits), -1)
        for word in range(1, logits.shape[1]):
            after, came = (at[:, :, None] + self.steps).max(dim=1)
            here = inside[:, word, None]
            back.append(torch.where(here, came, stay))
            at = torch.where(here, after + logits[:, word], at)
        return at + self.end, back

    @staticmethod
    def _follow(scores, back):
        path = [scores.argmax(dim=1)]
        for came in reversed(back):
            path.append(came.gather(1, path[-1][:, None])[:, 0])
        return torch.stack(path[::-1], dim=1)

    def margin(self, logits):
        """[W, labels] of one sentence -> how much better the best sequence is than the
        next one."""
        there = [self.start + logits[0]]
        for row in logits[1:]:
            there.append((there[-1][:, None] + self.steps).max(dim=0).values + row)
        back = [self.end]
        for row in reversed(logits[1:]):
            back.append((self.steps + (back[-1] + row)[None, :]).max(dim=1).values)
        top = (torch.stack(there) + torch.stack(back[::-1])).topk(2, dim=1).values
        return float((top[:, 0] - top[:, 1]).min())

    def config(self):
        """The block "crf" of config.json."""
        listed = {"transitions": self.steps, "start": self.start, "end": self.end}
        return {name: _rounded(value.detach().tolist()) for name, value in listed.items()}

    @classmethod
    def of(cls, config):
        """config.json's block -> what was trained, to five places."""
        made = cls(len(config["start"]))
        values = {"steps": config["transitions"], "start": config["start"], "end": config["end"]}
        made.load_state_dict({name: torch.tensor(value) for name, value in values.items()})
        return made


def _product(at, odds):
    """log of the sum over i of exp(at[:, i]) odds[i]."""
    top = at.detach().amax(dim=1, keepdim=True)
    return torch.log((torch.exp(at - top) @ odds).clamp(min=LEAST)) + top


def _rounded(values):
    return [_rounded(v) if isinstance(v, list) else round(v, 5) for v in values]


class SequenceLoss:
    """-log of the probability of all sequences that the gold tags allow, a word on average.

    allowed [tags, labels] of bool says which labels each tag allows; with one label to a
    tag it is the usual loss of a CRF."""

    def __init__(self, allowed, transitions, device="cpu"):
        allowed = torch.as_tensor(allowed)
        if not bool(allowed.any(dim=1).all()):
            raise ValueError("a tag allows no label")
        self.closed = torch.zeros(allowed.shape).masked_fill(~allowed, CLOSED).to(device)
        self.told = (~allowed.all(dim=1)).to(device)
        self.transitions = transitions

    def __call__(self, logits, tags, inside):
        """logits [B, W, labels], tags [B, W] -> the mean over all words that have a tag."""
        logits = logits.float()
        # One run for both sums: all sequences, and those that the tags allow.
        both = torch.cat([logits, logits + self.closed[tags]])
        every, right = self.transitions.total(both, inside.repeat(2, 1)).chunk(2)
        told = (self.told[tags] & inside).sum()
        return (every - right).sum() / told.clamp(min=1)


def read(transitions, logits, starts, size=256):
    """A corpus's logits [words, labels], its sentences beginning at starts -> log of the
    labels' probabilities [words, labels], and the labels of the best sequences [words]."""
    chances, path = torch.empty(logits.shape), torch.empty(len(logits), dtype=torch.long)
    logits, starts = torch.from_numpy(logits), torch.as_tensor(starts)
    lengths = starts[1:] - starts[:-1]
    order = torch.argsort(lengths)
    with torch.no_grad():
        for rows in order.split(size):
            place = torch.arange(int(lengths[rows].max()))
            inside = place < lengths[rows, None]
            at = (starts[rows, None] + place).clamp(max=len(logits) - 1)
            chances[at[inside]] = transitions.marginals(logits[at], inside)[inside]
            path[at[inside]] = transitions.best(logits[at], inside)[inside]
    return chances.numpy(), path.numpy()
