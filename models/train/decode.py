"""From logits to words and entities of PHI, as the members of the ensemble do it: a word
is PHI if the probability of O is low enough, and of the type whose labels have the most."""

import numpy as np

from labels import CLASS_OF, OUTSIDE


# Types that are told apart only after a word is found to be one of them, as in ensemble/onnx.
GROUPED = {"DOCTOR": "PATIENT", "ORGANIZATION": "HOSPITAL"}


class Decoded:
    """phi [words]: the probability that it is PHI; type [words]: index into types of the
    best one; begins [words] of bool: the word begins an entity rather than go on with one.

    bias is added to the log-odds of PHI: above 0 it buys recall with precision.

    path [words] holds the labels of the best sequences, of a network that scores sequences;
    logits are then the logarithms of the labels' probabilities over all sequences. A word
    on it is PHI whatever its probability, unless more than one half is asked for."""

    def __init__(self, logits, labels, bias=0.0, path=None):
        logits = logits - logits.max(axis=1, keepdims=True)
        probability = np.exp(logits)
        probability /= probability.sum(axis=1, keepdims=True)
        first, inside = probability[:, 1::2], probability[:, 2::2]
        self.types, self.bias = labels.types, bias
        self.by_type = first + inside
        self.begins = first.sum(axis=1) >= inside.sum(axis=1)
        groups = [self.types.index(GROUPED[t]) if GROUPED.get(t) in self.types else i for i, t in enumerate(self.types)]
        groups = np.array(groups)
        by_group = np.stack([self.by_type[:, groups == g].sum(axis=1) for g in groups], axis=1)
        # Of the best group its best type.
        best = by_group.argmax(axis=1)
        self.type = np.where(groups == groups[best][:, None], self.by_type, -1.0).argmax(axis=1)
        self.phi = self._biased(self.by_type.sum(axis=1))
        self.path = None
        if path is not None:
            self.path = (path - 1) // 2  # O becomes -1
            on = self.path >= 0
            self.type = np.where(on, self.path, self.type)
            self.begins = np.where(on, path % 2 == 1, self.begins)

    def _biased(self, probability):
        if not self.bias:
            return probability
        probability = np.clip(probability, 1e-7, 1 - 1e-7)
        return 1 / (1 + (1 - probability) / probability * np.exp(-self.bias))

    def found(self, threshold=0.5):
        """[words]: index into types, -1 where a word is no PHI: one member for all types."""
        phi = self.phi >= threshold
        if self._follows(threshold):
            phi = phi | (self.path >= 0)
        return np.where(phi, self.type, -1)

    def _follows(self, threshold):
        """Whether the best sequence counts: not where more than one half is asked for."""
        return self.path is not None and threshold <= self._biased(np.float64(0.5))

    def found_class(self, name, threshold):
        """[words] of bool: PHI of a class, to a member for this class alone."""
        phi = self.of_class(name) >= threshold
        if self._follows(threshold):
            phi = phi | np.array([CLASS_OF[t] == name for t in self.types] + [False])[self.path]
        return phi

    def of_class(self, name):
        """[words]: the probability of a class, as a member for this class alone adds it up."""
        return self._biased(self.by_type[:, [CLASS_OF[t] == name for t in self.types]].sum(axis=1))


def tags_of(found, begins, types):
    """The tags of one sentence from found and begins."""
    out, last = [], -1
    for kind, begin in zip(found, begins):
        if kind < 0:
            out.append(OUTSIDE)
        else:
            out.append(("B-" if begin or kind != last else "I-") + types[kind])
        last = kind
    return out


def entities(tags):
    """Tags of a sentence -> (first word, word after the last, type)."""
    out, begin = [], None
    for i, tag in enumerate(list(tags) + [OUTSIDE]):
        inside = tag.startswith("I-") and begin is not None and tags[begin][2:] == tag[2:]
        if begin is not None and not inside:
            out.append((begin, i, tags[begin][2:]))
            begin = None
        if tag[:2] in ("B-", "I-") and begin is None:
            begin = i
    return out
