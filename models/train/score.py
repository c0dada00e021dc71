"""Precision and recall of what was found against what should be, by words and by
entities, for classes and types, with confidence intervals over sentences.

What a source does not know is not held against anybody: words tagged "*", and words that
are tagged O by a source which does not mark the class that was found there.
"""

import numpy as np

from decode import entities, tags_of
from labels import CLASS_OF, CLASSES, OUTSIDE, UNKNOWN

ANY = "ANY"  # a class for "is PHI, whatever it is called"
KINDS = ("tp", "fp", "fn")


class Gold:
    """What a corpus says, by word: klass and fine as indices, -1 outside, -2 unknown."""

    def __init__(self, corpus, labels):
        self.labels = labels
        self.classes = labels.classes
        kinds = [(self._klass(t), self._fine(t)) for t, _ in corpus.tag_ids.pairs]
        self.klass = np.array([k for k, _ in kinds])[corpus.tags]
        self.fine = np.array([f for _, f in kinds])[corpus.tags]
        # [tags, classes]: an O that says nothing about the class.
        blind = np.array([[t == OUTSIDE and c not in covers for c in self.classes] for t, covers in corpus.tag_ids.pairs])
        self.blind = blind[corpus.tags]
        self.tagged = np.array([t for t, _ in corpus.tag_ids.pairs], dtype=object)[corpus.tags]
        self.starts = corpus.starts

    def _klass(self, tag):
        if tag == UNKNOWN:
            return -2
        name = CLASS_OF.get(tag[2:], tag[2:])
        return self.classes.index(name) if tag != OUTSIDE and name in self.classes else -1

    def _fine(self, tag):
        if tag == UNKNOWN or tag[2:] in CLASSES and tag[2:] not in CLASS_OF:
            return -2
        if tag[2:] in CLASSES and tag[2:] not in self.labels.types:
            return -2
        return self.labels.types.index(tag[2:]) if tag[2:] in self.labels.types else -1


def count_words(gold, found, by="class"):
    """-> [words, columns, 3] of bool: true and false positives, false negatives. Columns
    are the classes and then ANY, or the fine types."""
    to_class = np.array([gold.classes.index(CLASS_OF[t]) for t in gold.labels.types] + [-1])
    if by == "type":
        want, got, columns = gold.fine, found, len(gold.labels.types)
        blind = gold.blind[:, to_class[:-1]]
    else:
        want, got, columns = gold.klass, to_class[found], len(gold.classes)
        blind = gold.blind
    known = want != -2
    column = np.arange(columns)
    is_gold = want[:, None] == column
    is_got = got[:, None] == column
    tp = is_gold & is_got
    fp = is_got & ~is_gold & known[:, None] & ~blind
    fn = is_gold & ~is_got
    counts = np.stack([tp, fp, fn], axis=2)
    if by == "type":
        return counts
    wanted, any_got = want >= 0, got >= 0
    wrong = any_got & (want == -1) & ~np.take_along_axis(gold.blind, np.maximum(got, 0)[:, None], 1)[:, 0]
    overall = np.stack([wanted & any_got, wrong, wanted & ~any_got], axis=1)
    return np.concatenate([counts, overall[:, None, :]], axis=1)


def count_class(gold, found, name, kind):
    """found [words] of bool for one class, or for ANY -> [3]. kind [words]: index into types
    of what a word was found to be."""
    if name == ANY:
        to_class = np.array([gold.classes.index(CLASS_OF[t]) for t in gold.labels.types])
        right, blind = gold.klass >= 0, np.take_along_axis(gold.blind, to_class[kind][:, None], 1)[:, 0]
    else:
        column = gold.classes.index(name)
        right, blind = gold.klass == column, gold.blind[:, column]
    fp = found & ~right & (gold.klass != -2) & ~blind
    return np.array([(found & right).sum(), fp.sum(), (right & ~found).sum()])


def by_sentence(counts, starts):
    """[words, ...] -> sums [sentences, ...]."""
    total = np.zeros((len(counts) + 1, *counts.shape[1:]), np.int64)
    np.cumsum(counts, axis=0, out=total[1:])
    return total[starts[1:]] - total[starts[:-1]]


def count_entities(gold, found, begins):
    """-> [sentences, classes + 1, 3] for entities whose class and ends are right, and
    [classes + 1, 2]: entities of which every word was found, as whatever, and all."""
    classes, types = gold.classes, gold.labels.types
    counts = np.zeros((len(gold.starts) - 1, len(classes) + 1, 3), np.int64)
    covered = np.zeros((len(classes) + 1, 2), np.int64)
    for row in range(len(counts)):
        part = slice(gold.starts[row], gold.starts[row + 1])
        tags = gold.tagged[part]
        want = [(b, e, CLASS_OF.get(t, t)) for b, e, t in entities(tags)]
        want = {x for x in want if x[2] in classes}
        seen = found[part]
        if not want and not (seen >= 0).any():
            continue
        got = {(b, e, CLASS_OF[t]) for b, e, t in entities(tags_of(seen, begins[part], types))}
        blind = {
            x for x in got - want
            if (gold.klass[part][x[0] : x[1]] == -2).any() or gold.blind[part][x[0] : x[1], classes.index(x[2])].all()
        }
        for kind, which in enumerate((want & got, got - want - blind, want - got)):
            for x in which:
                counts[row, classes.index(x[2]), kind] += 1
                counts[row, -1, kind] += 1
        for begin, end, name in want:
            whole = bool((seen[begin:end] >= 0).all())
            for column in (classes.index(name), len(classes)):
                covered[column] += (whole, 1)
    return counts, covered


def rates(counts):
    """[..., 3] -> precision, recall, F1; 0 where there is nothing to divide by."""
    tp, fp, fn = (counts[..., i].astype(float) for i in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(tp + fp > 0, tp / (tp + fp), 0.0)
        recall = np.where(tp + fn > 0, tp / (tp + fn), 0.0)
        f1 = np.where(precision + recall > 0, 2 * precision * recall / (precision + recall), 0.0)
    return precision, recall, f1


def intervals(counts, draws, seed=7):
    """[sentences, columns, 3] -> 95 % intervals of precision and recall, each
    [columns, 2], by drawing as many sentences again, with replacement."""
    rng = np.random.default_rng(seed)
    some = counts.reshape(len(counts), -1)
    busy = some.any(axis=1)  # sentences with nothing in them change no figure
    some, total = some[busy].astype(np.float64), len(counts)
    if not len(some) or not draws:
        return None
    sums = []
    for _ in range(draws):
        # How often each busy sentence is drawn among total draws.
        number = rng.binomial(total, len(some) / total)
        sums.append(np.bincount(rng.integers(0, len(some), number), minlength=len(some)) @ some)
    precision, recall, _ = rates(np.array(sums).reshape(draws, *counts.shape[1:]))
    return tuple(np.percentile(x, [2.5, 97.5], axis=0).T for x in (precision, recall))
