"""What is known of a word besides its text, as columns of small numbers: hits of the
patient's record, of the directory and of the exact rules, and what the lexicon knows. The
package ensemble/features has the same columns; a change here is a change there.

0 says that nothing is known, and columns are blanked at random in training, so that a
network reads text of which nothing else is known.
"""

import numpy as np

import alphabet as abc

NAMES = ("record", "directory", "rules", "first", "surname", "common", "capital", "places", "clinical", "calendar")
SIZES = (9, 3, 11, 11, 11, 11, 11, 16, 16, 16)
OFFSETS = np.concatenate([[0], np.cumsum(SIZES)[:-1]]).astype(np.int64)
ROWS = int(sum(SIZES))
LEXICON = 3  # the first column that follows from the word alone

# What a record may hold of a tag's type: the number of its role, and how often it holds it.
RECORD = {
    "PATIENT": (1, 0.85), "NAME": (1, 0.5), "STREET": (2, 0.6), "CITY": (2, 0.6), "STATE": (2, 0.6), "ZIP": (2, 0.6),
    "COUNTRY": (2, 0.1), "DATE": (3, 0.1), "CONTACT": (4, 0.4), "ID": (5, 0.4), "HOSPITAL": (6, 0.1), "ORGANIZATION": (6, 0.3),
}
DIRECTORY = {"DOCTOR": (1, 0.7), "HOSPITAL": (2, 0.6)}


def table(path):
    """lexicon.tsv -> {word in lower case: its columns from LEXICON on}."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            word, _, numbers = line.rstrip("\n").partition("\t")
            found[word] = tuple(map(int, numbers.split()))
    return found


def of_forms(forms, known):
    """[forms+1, columns of the lexicon]; the last row is a word that can't be seen."""
    out = np.zeros((len(forms) + 1, len(SIZES) - LEXICON), np.uint8)
    if known:
        for i, form in enumerate(forms):
            row = known.get(abc.lower(form))
            if row:
                out[i] = row
    return out


def roles(corpus):
    """By tag: role in the record with its chance, role in the directory with its chance."""
    out = np.zeros((4, len(corpus.tag_ids.pairs)))
    for i, (tag, _) in enumerate(corpus.tag_ids.pairs):
        out[0, i], out[1, i] = RECORD.get(tag[2:], (0, 0))
        out[2, i], out[3, i] = DIRECTORY.get(tag[2:], (0, 0))
    return out


WRONG = 0.002  # how often a record hits a word that is no PHI


class Columns:
    """Makes the input "features" of a batch. change: the chances that a part is blank for a
    whole window (no_record, no_rules, no_lexicon); without it there is no record, and rules
    and lexicon are there: what a network is measured on."""

    def __init__(self, corpus, change, rng):
        self.corpus, self.change, self.rng, self.roles = corpus, change, rng, roles(corpus)

    def __call__(self, at, forms, tags, inside, hidden):
        """at, forms, tags, inside, hidden [B, W] -> [B, W, columns] of rows in one table.
        hidden words are those whose letters were changed: the lexicon doesn't know them."""
        corpus, change = self.corpus, self.change
        out = np.zeros((*at.shape, len(SIZES)), np.int64)
        out[..., 2] = np.where(inside, corpus.rules[at], 0)
        out[..., LEXICON:] = corpus.lexicon[forms]
        if hidden is not None:
            out[hidden, LEXICON:] = 0
        if change:
            out[..., 0] = self._hits(0, tags, inside)
            out[..., 1] = self._hits(2, tags, inside)
            out[self._rows(len(at), "no_rules"), :, 2] = 0
            out[self._rows(len(at), "no_lexicon"), :, LEXICON:] = 0
        out += OFFSETS
        return np.where(inside[..., None], out, 0)

    def _rows(self, count, name):
        return self.rng.random(count) < self.change.get(name, 0)

    def _hits(self, which, tags, inside):
        """What a made-up record would hit: entities of a tag as often as its chance says."""
        draw, role, chance = self.rng.random(tags.shape), self.roles[which][tags], self.roles[which + 1][tags]
        hits = np.where(draw < chance, role, 0)
        wrong = (chance == 0) & (draw < WRONG)
        hits = np.where(wrong, 1, hits)
        hits[self._rows(len(tags), "no_record")] = 0
        return np.where(inside, hits, 0)
