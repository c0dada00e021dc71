"""Encodes the training files and chooses the vocabulary that all networks of a
configuration share: build/train/cache/words.txt, chars.json.

Run once before the networks are trained; training processes then only read.
"""

import argparse
import json
import os
import time

import numpy as np

import alphabet as abc
import settings as conf
import vocabulary
import features
from corpus import Corpus, Store


def stores(settings, names):
    return [
        Store.of(conf.data_file(settings, n), settings["folders"]["cache"], settings["vocabulary"]["max_words"])
        for n in names
    ]


def corpus(settings, names, letters, words, cases=False):
    """What files hold, with what the lexicon knows of their words."""
    path = conf.data_file(settings, "lexicon.tsv")
    known = features.table(path) if os.path.exists(path) else None
    return Corpus(stores(settings, names), letters, words, cases, known)


def names_of(settings):
    """Every training file once, in the order in which they stand."""
    files = settings["files"]
    listed = [n for epoch in files["train"] for n in (epoch if isinstance(epoch, list) else [epoch])]
    return list(dict.fromkeys(listed + files["extra"] + files["text"]))


def prepare(settings):
    given = settings["vocabulary"]
    begin = time.monotonic()
    read = stores(settings, names_of(settings))
    words, counts = vocabulary.choose_words(read, given["words"], given["word_count"], given["phi_weight"])
    letters = vocabulary.choose_chars(read, given["chars"], given["char_count"], given["word_chars"])
    save(settings["folders"]["cache"], letters, words, counts)
    print(
        f"{sum(len(s) for s in read):,} sentences, {sum(len(s.tokens) for s in read):,} words, "
        f"{len(words.words):,} words and {len(letters.chars)} characters known; "
        f"{time.monotonic() - begin:.0f} s",
        flush=True,
    )


def save(folder, letters, words, counts):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "words.txt"), "w", encoding="utf-8") as file:
        file.writelines(w + "\n" for w in words.words)
    np.save(os.path.join(folder, "counts.npy"), counts)
    with open(os.path.join(folder, "chars.json"), "w", encoding="utf-8") as file:
        json.dump({"chars": letters.chars, "word_chars": letters.word_chars}, file, ensure_ascii=False)


def load(folder):
    """-> alphabet, words, how often each word id came in training."""
    with open(os.path.join(folder, "chars.json"), encoding="utf-8") as file:
        letters = abc.Alphabet(**json.load(file))
    with open(os.path.join(folder, "words.txt"), encoding="utf-8") as file:
        words = abc.Words(file.read().split("\n")[:-1])
    return letters, words, np.load(os.path.join(folder, "counts.npy"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="models/train/train.yaml")
    prepare(conf.load(parser.parse_args().config))
