"""Types of PHI, labels of the network, and which labels a gold tag allows.

A source of training sentences may know less than the network has to say: only that
a word belongs to a name, not whose; or nothing about dates at all. So a gold tag does
not name one label but a set of them, and the loss is -log of the set's probability.
"""

import numpy as np

# The types that a network tells apart, by the coarse class that an entity is scored in.
CLASSES = {
    "NAME": ["PATIENT", "DOCTOR"],
    "LOCATION": ["STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION-OTHER"],
    "ORG": ["HOSPITAL", "ORGANIZATION"],
    "AGE": ["AGE"],
    "DATE": ["DATE"],
    "ID": ["ID"],
    "CONTACT": ["CONTACT"],
    "PROFESSION": ["PROFESSION"],
}
FINE = [fine for types in CLASSES.values() for fine in types]
CLASS_OF = {fine: coarse for coarse, types in CLASSES.items() for fine in types}

OUTSIDE = "O"
UNKNOWN = "*"


class Labels:
    """The labels of one network: O, then B- and I- of each of its types."""

    def __init__(self, types=None):
        """types are coarse classes ("NAME") or fine types ("DOCTOR"); none means all."""
        wanted = set()
        for name in types or CLASSES:
            if name in CLASSES:
                wanted.update(CLASSES[name])
            elif name in CLASS_OF:
                wanted.add(name)
            else:
                raise ValueError(f"types: {name!r} is neither a class nor a type")
        self.types = [fine for fine in FINE if fine in wanted]
        self.names = [OUTSIDE] + [mark + fine for fine in self.types for mark in ("B-", "I-")]
        self.index = {name: i for i, name in enumerate(self.names)}
        self.classes = [c for c in CLASSES if any(t in wanted for t in CLASSES[c])]

    def __len__(self):
        return len(self.names)

    def compatible(self, tag, covers):
        """The indices of the labels that may be true where a source that marks the
        classes in covers everywhere wrote tag."""
        if tag == UNKNOWN:
            return list(range(len(self)))
        if tag == OUTSIDE:
            return [0] + [
                self.index[mark + fine]
                for fine in self.types
                if CLASS_OF[fine] not in covers
                for mark in ("B-", "I-")
            ]
        mark, _, name = tag.partition("-")
        if mark not in ("B", "I") or (name not in CLASSES and name not in CLASS_OF):
            raise ValueError(f"tag {tag!r} is not BIO over a known type")
        fines = CLASSES.get(name, [name])
        allowed = [self.index[f"{mark}-{fine}"] for fine in fines if fine in self.types]
        if len(allowed) < len(fines):
            allowed.insert(0, 0)  # a type of another network: here it is outside
        return allowed

    def mask(self, tag, covers):
        """compatible as a row of bool, one for each label."""
        row = np.zeros(len(self), dtype=bool)
        row[self.compatible(tag, covers)] = True
        return row

    def id2label(self):
        return {str(i): name for i, name in enumerate(self.names)}


class Tags:
    """Numbers the pairs of tag and covered classes that occur in a corpus."""

    def __init__(self, pairs=()):
        self.pairs = [(tag, tuple(covers)) for tag, covers in pairs]
        self.ids = {pair: i for i, pair in enumerate(self.pairs)}

    def id(self, tag, covers):
        pair = (tag, covers)
        found = self.ids.get(pair)
        if found is None:
            found = self.ids[pair] = len(self.pairs)
            self.pairs.append(pair)
        return found

    def table(self, labels):
        """[tags, labels] of bool: which labels each tag allows."""
        return np.stack([labels.mask(tag, covers) for tag, covers in self.pairs])
