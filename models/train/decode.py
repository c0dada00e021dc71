"""From logits to words and entities of PHI, as the members of the ensemble do it: a word
is PHI if the probability of O is low enough, and of the type whose labels have the most."""

import numpy as np

from labels import CLASS_OF, OUTSIDE


class Decoded:
    """phi [words]: the probability that it is PHI; type [words]: index into types of the
    best one; begins [words] of bool: the word begins an entity rather than go on with one."""

    def __init__(self, logits, labels, bias=0.0):
        logits = logits - logits.max(axis=1, keepdims=True)
        probability = np.exp(logits)
        probability /= probability.sum(axis=1, keepdims=True)
        outside = np.clip(probability[:, 0], 1e-7, 1 - 1e-7)
        self.phi = 1 / (1 + outside / (1 - outside) * np.exp(-bias))
        first, inside = probability[:, 1::2], probability[:, 2::2]
        self.types = labels.types
        self.type = (first + inside).argmax(axis=1)
        row = np.arange(len(logits))
        self.begins = first[row, self.type] >= inside[row, self.type]

    def found(self, threshold=0.5, thresholds=None):
        """[words]: index into types, -1 where a word is no PHI. thresholds: by type or class."""
        limits = np.array(
            [(thresholds or {}).get(t, (thresholds or {}).get(CLASS_OF[t], threshold)) for t in self.types]
        )
        return np.where(self.phi >= limits[self.type], self.type, -1)


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
