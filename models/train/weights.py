"""A trained network in one file: weights, vocabulary, how it was trained. Beside an
exported model it is weights.pt, from which the next version can go on."""

import os

import torch

import alphabet as abc


def save(path, network, letters, words, counts):
    saved = network | {
        "chars": letters.chars,
        "word_chars": letters.word_chars,
        "words": words.words,
        "counts": torch.as_tensor(counts),
    }
    torch.save(saved, path + ".new")
    os.replace(path + ".new", path)


def load(path, device="cpu"):
    return torch.load(path, map_location=device, weights_only=True)


def vocabulary(saved):
    """-> alphabet, words, how often each word id came in training."""
    letters = abc.Alphabet(saved["chars"], saved["word_chars"])
    return letters, abc.Words(saved["words"]), saved["counts"].numpy()
