"""Training sentences as arrays.

A file of JSON Lines is read once and stored as arrays of numbers (a Store, kept on disk
beside its meta data); what is trained or scored on is a Corpus: one or more stores with
one table of surface forms, each with its characters, its word id and its other cases.
Making a batch is then indexing, and no text is looked at while a network trains.
"""

import json
import os

import numpy as np

import alphabet as abc
import features
from labels import CLASSES, OUTSIDE, UNKNOWN, Tags

FORMAT = 3  # of the stored arrays; a change makes them anew


def read(path):
    """The sentences of a file, as dictionaries. In *.txt every line is a sentence, its
    words parted by blanks, and nothing is known about PHI."""
    with open(path, encoding="utf-8") as lines:
        if path.endswith(".txt"):
            yield from ({"source": "text", "words": line.split(" ")} for line in map(str.strip, lines) if line)
            return
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield json.loads(line)
            except json.JSONDecodeError as err:
                # The text is not quoted: it may be a site's own.
                raise ValueError(f"{path}, line {number}: not JSON ({err.msg})") from None


class Store:
    """One file's sentences: tokens as indices of forms, gaps, tags, and where each
    sentence begins."""

    ARRAYS = ("tokens", "gaps", "tags", "rules", "starts", "sources", "groups")

    def __init__(self, meta, arrays):
        self.forms, self.pairs = meta["forms"], meta["pairs"]
        self.source_names, self.group_names = meta["source_names"], meta["group_names"]
        for name in self.ARRAYS:
            setattr(self, name, arrays[name])

    def __len__(self):
        return len(self.starts) - 1

    @classmethod
    def of(cls, path, cache, longest=256):
        """The store of a file, from the cache if the file has not changed since."""
        stat = os.stat(path)
        stamp = [FORMAT, os.path.abspath(path), stat.st_size, stat.st_mtime_ns, longest]
        folder = os.path.join(cache, os.path.basename(path).replace(".jsonl", ""))
        meta_path = os.path.join(folder, "meta.json")
        if os.path.exists(meta_path):
            with open(meta_path, encoding="utf-8") as file:
                meta = json.load(file)
            if meta["stamp"] == stamp:
                return cls(meta, {n: np.load(os.path.join(folder, n + ".npy"), mmap_mode="r") for n in cls.ARRAYS})
        meta, arrays = encode(read(path), longest, path)
        meta["stamp"] = stamp
        cls._save(folder, meta, arrays)
        return cls(meta, arrays)

    @classmethod
    def _save(cls, folder, meta, arrays):
        """Into new files that take the place of old ones at once: another process may have
        the old ones mapped, or write the same."""
        os.makedirs(folder, exist_ok=True)
        meta_path, own = os.path.join(folder, "meta.json"), f".{os.getpid()}.new"
        if os.path.exists(meta_path):
            os.remove(meta_path)  # it may not stand beside arrays of another file
        for name in cls.ARRAYS:
            path = os.path.join(folder, name + ".npy")
            with open(path + own, "wb") as file:
                np.save(file, arrays[name])
            os.replace(path + own, path)
        with open(meta_path + own, "w", encoding="utf-8") as file:
            json.dump(meta, file, ensure_ascii=False)
        os.replace(meta_path + own, meta_path)


class _Ids(dict):
    """Numbers things in the order in which they come."""

    def __missing__(self, name):
        self[name] = len(self)
        return self[name]


def encode(sentences, longest, where="sentences"):
    """Sentences -> meta data and arrays of a Store. What is longer than longest words is
    cut into pieces, as it is when a network runs."""
    forms, sources, groups, tags = _Ids(), _Ids(), _Ids(), Tags()
    out = {"tokens": [], "gaps": [], "tags": [], "rules": [], "starts": [0], "sources": [], "groups": []}
    covered = {}
    for number, sentence in enumerate(sentences, 1):
        words = sentence["words"]
        gaps = sentence.get("gaps") or [2] + [1] * (len(words) - 1)
        marks = sentence.get("tags") or [UNKNOWN] * len(words)
        rules = [ord(c) - ord("0") for c in sentence.get("rules", "0" * len(words))]
        if not len(words) == len(gaps) == len(marks) == len(rules):
            raise ValueError(f"{where}, sentence {number}: words, gaps, tags and rules differ in number")
        covers = sentence.get("covers")
        covers = tuple(CLASSES) if covers is None else tuple(covers)
        covers = covered.setdefault(covers, tuple(sorted(covers)))
        for at in range(0, len(words), longest):
            part = slice(at, at + longest)
            out["tokens"].extend([forms[w] for w in words[part]])
            out["gaps"].extend(gaps[part])
            out["tags"].extend([tags.id(t, covers if t == OUTSIDE else ()) for t in marks[part]])
            out["rules"].extend(rules[part])
            out["starts"].append(len(out["tokens"]))
            out["sources"].append(sources[sentence.get("source", "")])
            out["groups"].append(groups[sentence.get("group") or ""])
    kinds = dict(tokens=np.int32, gaps=np.uint8, tags=np.uint16, rules=np.uint8, starts=np.int64, sources=np.uint16, groups=np.uint16)
    arrays = {name: np.asarray(values, dtype=kinds[name]) for name, values in out.items()}
    meta = {
        "forms": list(forms),
        "pairs": [[t, list(c)] for t, c in tags.pairs],
        "source_names": list(sources),
        "group_names": list(groups),
    }
    return meta, arrays


class Corpus:
    """Stores joined, read with one alphabet and one list of words.

    tokens, gaps, tags, rules [tokens]; starts [sentences+1]; sources, groups [sentences].
    chars [forms+1, word_chars] and words [forms+1] say what a network reads of a form; the
    last row is a blank: a word that can not be seen. upper, lower, title [forms+1] lead to
    a form's other cases; lexicon [forms+1, columns] is what the lexicon knows of it.
    """

    def __init__(self, stores, letters, words, cases=False, lexicon=None):
        forms, sources, groups, self.tag_ids = _Ids(), _Ids(), _Ids(), Tags()
        parts = {name: [] for name in Store.ARRAYS}
        begin = 0
        for store in stores:
            to = np.fromiter((forms[f] for f in store.forms), np.int32, len(store.forms))
            parts["tokens"].append(to[store.tokens] if len(to) else np.zeros(0, np.int32))
            to = np.array([self.tag_ids.id(t, tuple(c)) for t, c in store.pairs] or [0], np.uint16)
            parts["tags"].append(to[store.tags])
            parts["gaps"].append(store.gaps)
            parts["rules"].append(store.rules)
            parts["starts"].append(store.starts[:-1] + begin)
            to = np.array([sources[n] for n in store.source_names] or [0], np.uint16)
            parts["sources"].append(to[store.sources])
            to = np.array([groups[n] for n in store.group_names] or [0], np.uint16)
            parts["groups"].append(to[store.groups])
            begin += len(store.tokens)
        parts["starts"].append(np.array([begin]))
        for name, arrays in parts.items():
            setattr(self, name, np.concatenate(arrays) if arrays else np.zeros(0, np.int64))
        self.lengths = np.diff(self.starts).astype(np.int64)
        self.anything = self.tag_ids.id(UNKNOWN, ())
        self.source_names, self.group_names = list(sources), list(groups)
        self.forms = list(forms)
        if cases:
            self._add_cases(forms)
        self.lexicon = features.of_forms(self.forms, lexicon)
        self.read(letters, words)

    def __len__(self):
        return len(self.starts) - 1

    def _add_cases(self, forms):
        count = len(self.forms)
        for name, change in (("upper", upper), ("lower", abc.lower), ("title", title)):
            to = np.fromiter((forms[change(f)] for f in self.forms[:count]), np.int32, count)
            setattr(self, name, to)
        self.forms = list(forms)
        own = np.arange(count, len(self.forms) + 1, dtype=np.int32)
        for name in ("upper", "lower", "title"):
            setattr(self, name, np.concatenate([getattr(self, name), own]))

    def read(self, letters, words):
        """What a network with this alphabet and these words sees of each form."""
        count = len(self.forms)
        self.chars = np.zeros((count + 1, letters.word_chars), np.uint8)
        if len(letters) > 256:
            raise ValueError("the alphabet has more than 251 characters")
        flat, sizes = [], np.zeros(count, np.int64)
        for i, form in enumerate(self.forms):
            ids = letters.ids(form)
            flat.extend(ids)
            sizes[i] = len(ids)
        rows = np.repeat(np.arange(count), sizes)
        columns = np.arange(len(flat)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        self.chars[rows, columns] = flat
        self.sizes = np.append(sizes, 0)
        self.words = np.fromiter((words.id(f) for f in self.forms), np.int32, count)
        self.words = np.append(self.words, np.int32(abc.UNKNOWN_WORD))
        self.blank = count

    def phi(self, types=None):
        """[tags] of bool: the tags that mark PHI, or that of one of the types or classes."""
        return np.array(
            [t not in (OUTSIDE, UNKNOWN) and (types is None or t[2:] in types) for t, _ in self.tag_ids.pairs]
        )

    def sentence(self, row):
        """For parity and lists of misses: words, gaps, tags."""
        part = slice(self.starts[row], self.starts[row + 1])
        return (
            [self.forms[t] for t in self.tokens[part]],
            [int(g) for g in self.gaps[part]],
            [self.tag_ids.pairs[t][0] for t in self.tags[part]],
        )


def upper(word):
    return "".join(r.upper() if len(r.upper()) == 1 else r for r in word)


def title(word):
    """Upper case after what is no letter: O'BRIEN-SMITH -> O'Brien-Smith."""
    out, inside = [], False
    for rune in word:
        out.append(abc.lower(rune) if inside else upper(rune))
        inside = rune.isalpha()
    return "".join(out)
