"""Batches of sentences as tensors, with what is changed at random on the way.

Every sentence is seen a little differently each time: its case, single characters of its
names, and which words are known. So a network can not lean on having seen a word.
"""

import numpy as np
import torch

import alphabet as abc
from features import Columns

SHORT = 8  # characters; most words are no longer, and cost half


def plan(corpus, size, rng, weights=None, pool=64):
    """One pass over the corpus: arrays of sentences, size of them each, of nearly equal
    length, in random order.

    weights: by source, how often a sentence comes in one pass (0.5: every other one; 2:
    twice). Default 1.
    """
    rows = np.arange(len(corpus))
    if weights:
        often = np.array([float(weights.get(n, 1.0)) for n in corpus.source_names])[corpus.sources]
        whole = np.floor(often).astype(np.int64)
        rows = np.repeat(rows, whole + (rng.random(len(rows)) < often - whole))
    rng.shuffle(rows)
    made = []
    for at in range(0, len(rows), size * pool):
        part = rows[at : at + size * pool]
        part = part[np.argsort(corpus.lengths[part], kind="stable")]
        made.extend(part[i : i + size] for i in range(0, len(part), size))
    rng.shuffle(order := np.arange(len(made)))
    return [made[i] for i in order]


def in_order(corpus, size):
    """All sentences once, sorted by length: for scoring."""
    rows = np.argsort(corpus.lengths, kind="stable")
    return [rows[i : i + size] for i in range(0, len(rows), size)]


class Batch:
    """chars: blocks of distinct words' characters; spread [B, W] says which of their rows
    stands where; words, gaps, tags [B, W]; features [B, W, columns]; of networks that read
    wordpieces also pieces [B, P] and begins [B, W]."""

    __slots__ = ("rows", "chars", "spread", "words", "gaps", "tags", "features", "pieces", "begins", "masked", "targets", "size")

    def inputs(self):
        """What a network reads, by name."""
        return {name: getattr(self, name, None) for name in ("chars", "words", "gaps", "features", "pieces", "begins", "spread")}

    def to(self, device):
        if str(device) != "cpu":
            self.chars = [c.to(device, non_blocking=True) for c in self.chars]
            for name in ("spread", "words", "gaps", "tags", "features", "pieces", "begins", "masked", "targets"):
                value = getattr(self, name, None)
                if value is not None:
                    setattr(self, name, value.to(device, non_blocking=True))
        return self


class Assembler:
    """Makes batches of a corpus. change: the chances of each kind of change, see
    train.yaml; None leaves sentences as they are."""

    def __init__(self, corpus, change=None, counts=None, rng=None, pieces=None):
        """pieces: a Pieces of the corpus, for networks that read wordpieces."""
        self.corpus, self.change, self.rng, self.pieces = corpus, change or {}, rng, pieces
        self.columns = Columns(corpus, self.change, rng)
        self.phi = corpus.phi()
        self.names = corpus.phi({"NAME", "PATIENT", "DOCTOR"})
        self.drop = None
        if self.change.get("word_dropout") and counts is not None:
            base, rare = self.change["word_dropout"], self.change.get("rare", 20)
            by_word = base + (1 - base) * rare / (rare + np.maximum(counts, 1))
            self.drop = by_word[corpus.words]  # by form

    def __call__(self, rows, mask=None, frequent=0):
        """mask: the share of words to be guessed, for the language model."""
        corpus = self.corpus
        lengths = corpus.lengths[rows]
        width = int(lengths.max())
        place = np.arange(width)
        inside = place < lengths[:, None]
        at = np.where(inside, corpus.starts[rows][:, None] + place, 0)
        forms = np.where(inside, corpus.tokens[at], corpus.blank)
        tags = np.where(inside, corpus.tags[at], corpus.anything)
        gaps = np.where(inside, corpus.gaps[at], 0)
        if self.change:
            forms = self._cases(forms, tags, inside)
        batch = Batch()
        batch.masked = batch.targets = None
        if mask:
            forms = self._mask(batch, forms, inside, mask, frequent)
        elif self.change.get("blank"):
            forms = np.where(inside & (self.rng.random(forms.shape) < self.change["blank"]), corpus.blank, forms)
        words = np.where(inside, corpus.words[forms], abc.PAD)
        if self.drop is not None:
            hidden = inside & (self.rng.random(forms.shape) < self.drop[forms])
            words = np.where(hidden, abc.UNKNOWN_WORD, words)
        noisy = self._noisy(tags, inside)
        batch.features = torch.from_numpy(self.columns(at, forms, tags, inside, noisy))
        batch.pieces = batch.begins = None
        if self.pieces is not None:
            batch.pieces, batch.begins = self.pieces(forms, inside, self._unseen(tags, inside))
        self._characters(batch, forms, words, noisy)
        batch.words = torch.from_numpy(words.astype(np.int64))
        batch.gaps = torch.from_numpy(gaps.astype(np.int64))
        batch.tags = torch.from_numpy(tags.astype(np.int64))
        batch.rows, batch.size = rows, int(lengths.sum())
        return batch

    def _cases(self, forms, tags, inside):
        """Whole sentences, or only what is PHI, in another case."""
        corpus, draw = self.corpus, self.rng.random((len(forms), 1))
        phi = self.phi[tags] & inside
        low = 0.0
        for name, where, to in (
            ("upper", inside, corpus.upper),
            ("lower", inside, corpus.lower),
            ("title", inside, corpus.title),
            ("phi_upper", phi, corpus.upper),
            ("phi_lower", phi, corpus.lower),
            ("phi_title", phi, corpus.title),
        ):
            chance = self.change.get(name, 0)
            if chance:
                forms = np.where(where & (draw >= low) & (draw < low + chance), to[forms], forms)
                low += chance
        return forms

    def _mask(self, batch, forms, inside, share, frequent):
        """Of the words that are chosen, eight of ten are blanked, one is another word."""
        corpus = self.corpus
        words = corpus.words[forms]
        fit = inside & (words >= abc.FIRST_WORD) & (words < abc.FIRST_WORD + frequent)
        chosen = fit & (self.rng.random(forms.shape) < share)
        batch.masked = torch.from_numpy(np.flatnonzero(chosen.ravel()))
        batch.targets = torch.from_numpy(words[chosen].astype(np.int64) - abc.FIRST_WORD)
        draw = self.rng.random(forms.shape)
        other = corpus.tokens[self.rng.integers(0, len(corpus.tokens), forms.shape)]
        forms = np.where(chosen & (draw < 0.8), corpus.blank, forms)
        return np.where(chosen & (draw >= 0.9), other, forms)

    def _noisy(self, tags, inside):
        chance = self.change.get("noise", 0)
        if not chance:
            return None
        return inside & self.names[tags] & (self.rng.random(tags.shape) < chance)

    def _unseen(self, tags, inside):
        """Words whose wordpieces are hidden, those of names more often: context and letters
        have to do then."""
        chance = self.change.get("unseen", 0)
        return inside & (self.rng.random(tags.shape) < np.where(self.names[tags], chance, chance / 8)) if chance else None

    def _characters(self, batch, forms, words, noisy):
        corpus = self.corpus
        unique, spread = np.unique(forms, return_inverse=True)
        spread = spread.reshape(forms.shape)
        # Short words first: they make a block of their own.
        order = np.argsort(corpus.sizes[unique] > SHORT, kind="stable")
        spread = np.argsort(order)[spread]
        unique = unique[order]
        chars = corpus.chars[unique]
        few = int((corpus.sizes[unique] <= SHORT).sum())
        if noisy is not None and noisy.any():
            extra = misspelt(corpus.chars[forms[noisy]], corpus.sizes[forms[noisy]], self.rng)
            spread[noisy] = len(unique) + np.arange(len(extra))
            words[noisy] = abc.UNKNOWN_WORD
            chars = np.concatenate([chars, extra])
        blocks = [b for b in (chars[:few, :SHORT], _trim(chars[few:])) if len(b)]
        batch.chars = [torch.from_numpy(b.astype(np.int64)) for b in blocks]
        batch.spread = torch.from_numpy(spread)


def _trim(chars):
    used = np.flatnonzero(chars.any(axis=0))
    return chars[:, : used[-1] + 1 if len(used) else 1]


def misspelt(chars, sizes, rng):
    """Each row with one character dropped, doubled or swapped with the next one. Words of
    three characters and less stay."""
    chars, width = chars.copy(), chars.shape[1]
    for row, size in zip(chars, sizes):
        if size < 4:
            continue
        at = int(rng.integers(1, size - 1))
        kind = rng.integers(3)
        if kind == 0:
            row[at : width - 1] = row[at + 1 :].copy()
            row[width - 1] = 0
        elif kind == 1:
            row[at + 1 :] = row[at : width - 1].copy()
        else:
            row[at], row[at + 1] = row[at + 1], row[at]
    return chars
