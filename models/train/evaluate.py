"""Scores exported networks on held-out sets: words and entities, by class, type and group
of names, with 95 % intervals; precision and recall by threshold; what was missed.

    python models/train/evaluate.py --folder out/models/lstm-v1 --misses build/train/misses
"""

import argparse
import json
import os
import time

import numpy as np
from tokenizers import Tokenizer

import alphabet as abc
import export
import prepare
import score
import sequence
import settings as conf
from decode import Decoded, tags_of
from labels import Labels
from score import ANY

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


class Exported:
    """A model folder, as far as scoring needs it."""

    def __init__(self, folder, onnx="model.onnx"):
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            config = json.load(file)
        names = [config["id2label"][str(i)] for i in range(len(config["id2label"]))]
        self.labels = Labels(list(dict.fromkeys(n[2:] for n in names[1:])))
        if self.labels.names != names:
            raise ValueError(f"{folder}: id2label is not in the order that is trained here")
        self.session = export.session(os.path.join(folder, onnx))
        self.tokenizer = self.sequence = self.pieces = None
        if "pgdeid" in config:
            block = config["pgdeid"]
            if "pieces" in block:
                self.pieces = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
            if "crf" in block:
                self.sequence = sequence.Transitions.of(block["crf"])
            self.letters = abc.Alphabet(block["chars"], block["word_chars"])
            with open(os.path.join(folder, "words.txt"), encoding="utf-8") as file:
                self.words = abc.Words(file.read().split("\n")[:-1])
        else:
            self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
            self.letters, self.words = abc.Alphabet(""), abc.Words([])

    def corpus(self, settings, files):
        return prepare.corpus(settings, files, self.letters, self.words)

    def logits(self, corpus):
        """[words, labels]; of a network that scores sequences, the logarithms of the labels'
        probabilities, and then also the labels of the best sequences, else None."""
        logits = self._logits(corpus)
        if self.sequence is None:
            return logits, None
        return sequence.read(self.sequence, logits, corpus.starts)

    def _logits(self, corpus):
        if self.tokenizer is None:
            return export.logits_of(self.session, corpus, tokenizer=self.pieces)
        import bert

        return bert.logits_of(self.session, self.tokenizer, corpus)

    def batch(self, sentences, words):
        """Random sentences, all as long: words of them, or wordpieces."""
        rng = np.random.default_rng(3)
        if self.tokenizer is not None:
            ids = rng.integers(5, self.tokenizer.get_vocab_size(), (sentences, words))
            return {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        vocabulary = self.pieces.get_vocab_size() if self.pieces else 0
        made = export.random_batch(rng, 1, words, self.letters.word_chars, len(self.letters), len(self.words), vocabulary)
        return {name: np.repeat(value, sentences, axis=0) for name, value in made.items() if name != "lengths"}


def normalised(corpus, letters, words):
    """Upper-case words in title case, as the ensemble's members for normalised text read. The
    lexicon knows a word in any case."""
    corpus.forms = [f[0] + abc.lower(f[1:]) if f.isalpha() and f.isupper() else f for f in corpus.forms]
    corpus.read(letters, words)
    return corpus


class Result:
    """One set's scores for one network."""

    def __init__(self, name, corpus, logits, path, labels, options):
        self.name, self.corpus, self.labels = name, corpus, labels
        self.gold = score.Gold(corpus, labels)
        self.decoded = Decoded(logits, labels, options["bias"], path)
        self.found = self.decoded.found(options["threshold"])
        self.columns = self.gold.classes + [ANY]
        self.words = score.by_sentence(score.count_words(self.gold, self.found), corpus.starts)
        self.types = score.by_sentence(score.count_words(self.gold, self.found, "type"), corpus.starts)
        self.draws = options["bootstrap"]

    def figures(self):
        """Rows of a card: by class, by type, and NAME by group."""
        out = self._rows(self.words, [(c, "", "") for c in self.columns])
        out += self._rows(self.types, [(self._class(t), t, "") for t in self.labels.types])
        for number, group in enumerate(self.corpus.group_names):
            if not group or "NAME" not in self.columns:
                continue
            at = self.columns.index("NAME")
            some = self.words[self.corpus.groups == number][:, at : at + 1]
            out += self._rows(some, [("NAME", "", group)])
        return out

    @staticmethod
    def _class(fine):
        return score.CLASS_OF[fine]

    def _rows(self, counts, keys):
        total = counts.sum(axis=0)
        precision, recall, f1 = score.rates(total)
        spread = score.intervals(counts, self.draws)
        out = []
        for i, (name, fine, group) in enumerate(keys):
            number = int(total[i, 0] + total[i, 2])
            if not number and not total[i, 1]:
                continue
            row = {"set": self.name, "class": name, "type": fine, "group": group}
            row |= {"precision": float(precision[i]), "recall": float(recall[i]), "f1": float(f1[i]), "gold": number}
            if spread is not None:
                row["precision_ci"] = [float(x) for x in spread[0][i]]
                row["recall_ci"] = [float(x) for x in spread[1][i]]
            out.append(row)
        return out

    def entity_rates(self):
        """Of exact entities: precision, recall and F1, by column; and of how many of them
        every word was found, of how many."""
        counts, covered = score.count_entities(self.gold, self.found, self.decoded.begins)
        return *score.rates(counts.sum(axis=0)), covered

    def entities(self):
        """Lines of text: exact entities, and those of which every word was found."""
        precision, recall, f1, covered = self.entity_rates()
        lines = [f"  {'entities':12} {'precision':>9} {'recall':>7} {'f1':>6} {'all words found':>16} {'gold':>7}"]
        for i, name in enumerate(self.columns):
            whole, number = covered[i]
            if number:
                lines.append(
                    f"  {name:12} {precision[i]:9.4f} {recall[i]:7.4f} {f1[i]:6.4f} {whole / number:16.4f} {number:7,}"
                )
        return lines

    def curve(self):
        """{class: [[threshold, precision, recall], ...]} by words, for members that vote for
        one class alone, and ANY for a member that votes for all."""
        out = {}
        for name in self.columns:
            out[name] = []
            for threshold in THRESHOLDS:
                found = self.decoded.found(threshold) >= 0 if name == ANY else self.decoded.found_class(name, threshold)
                counts = score.count_class(self.gold, found, name, self.decoded.type)
                precision, recall, _ = score.rates(counts)
                out[name].append([threshold, round(float(precision), 4), round(float(recall), 4)])
        return out

    def write_misses(self, path):
        """Sentences in which something was missed or found wrongly."""
        wrong = np.flatnonzero(self.words[:, -1, 1:].any(axis=1) | self.words[:, :-1, 2].any(axis=1))
        with open(path, "w", encoding="utf-8") as file:
            for row in wrong:
                words, _, tags = self.corpus.sentence(row)
                part = slice(self.corpus.starts[row], self.corpus.starts[row + 1])
                got = tags_of(self.found[part], self.decoded.begins[part], self.labels.types)
                missed = [w for w, t, g in zip(words, tags, got) if t not in ("O", "*") and g == "O"]
                extra = [w for w, t, g in zip(words, tags, got) if t == "O" and g != "O"]
                json.dump(
                    {"text": " ".join(words), "missed": missed, "extra": extra, "tags": tags, "found": got},
                    file,
                    ensure_ascii=False,
                )
                file.write("\n")
        return len(wrong)


def table(figures):
    lines = [f"  {'words':22} {'precision':>9} {'':17} {'recall':>7} {'':17} {'f1':>6} {'gold':>8}"]
    for f in figures:
        name = f["class"] + (" " + f["type"] if f["type"] else "") + (" / " + f["group"] if f["group"] else "")
        low = " ".join(f"[{a:.4f}, {b:.4f}]" if a <= b else "" for a, b in [f.get("precision_ci", (1, 0))])
        high = " ".join(f"[{a:.4f}, {b:.4f}]" if a <= b else "" for a, b in [f.get("recall_ci", (1, 0))])
        lines.append(
            f"  {name:22} {f['precision']:9.4f} {low:17} {f['recall']:7.4f} {high:17} {f['f1']:6.4f} {f['gold']:8,}"
        )
    return lines


def evaluate(folder, settings, sets=None, onnx="model.onnx", misses=None, show=print, normalise=False):
    """-> figures of all sets, curves by set."""
    model, options = Exported(folder, onnx), settings["evaluation"]
    figures, curves = [], {}
    for name, files in (sets or settings["files"]["evaluate"]).items():
        files = files if isinstance(files, list) else [files]
        present = [f for f in files if os.path.exists(conf.data_file(settings, f))]
        if not present:
            show(f"{name}: none of its files is there, left out")
            continue
        corpus = model.corpus(settings, present)
        if normalise:
            corpus = normalised(corpus, model.letters, model.words)
        result = Result(name, corpus, *model.logits(corpus), model.labels, options)
        rows = result.figures()
        figures += rows
        curves[name] = result.curve()
        show(f"{name}, {onnx}{', normalised' if normalise else ''}: {len(corpus):,} sentences, {len(corpus.tokens):,} words")
        show("\n".join(table(rows) + result.entities()))
        if misses:
            os.makedirs(misses, exist_ok=True)
            path = os.path.join(misses, f"{os.path.basename(os.path.normpath(folder))}-{name}.jsonl")
            show(f"  {result.write_misses(path):,} sentences with errors: {path}")
    return figures, curves


def speed(folder, onnx="model.onnx", seconds=3.0, words=22, batch=32):
    """Sentences a second on one core, batches of one length. Seconds are the processor's,
    so that other work on the machine does not count."""
    model = Exported(folder, onnx)
    sample = model.batch(batch, words)
    sample = {i.name: sample[i.name] for i in model.session.get_inputs()}
    model.session.run(None, sample)
    begin, rounds = time.process_time(), 0
    while time.process_time() - begin < seconds:
        model.session.run(None, sample)
        rounds += 1
    return rounds * batch / (time.process_time() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="models/train/train.yaml")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--onnx", default="model.onnx")
    parser.add_argument("--set", action="append", metavar="NAME=FILE", help="instead of those of the configuration")
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--bias", type=float)
    parser.add_argument("--misses", metavar="FOLDER", help="outside of the tree: it holds sentences")
    parser.add_argument("--normalise", action="store_true", help="upper-case words are read in title case")
    parser.add_argument("--curves", action="store_true")
    args = parser.parse_args()
    settings = conf.load(args.config)
    for name in ("threshold", "bias"):
        if getattr(args, name) is not None:
            settings["evaluation"][name] = getattr(args, name)
    sets = dict(s.split("=", 1) for s in args.set) if args.set else None
    _, curves = evaluate(args.folder, settings, sets, args.onnx, args.misses, normalise=args.normalise)
    if args.curves:
        for name, by_class in curves.items():
            for klass, points in by_class.items():
                print(name, klass, " ".join(f"{t}: {p:.3f}/{r:.3f}" for t, p, r in points))


if __name__ == "__main__":
    main()
