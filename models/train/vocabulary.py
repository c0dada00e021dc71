"""Chooses the characters and words that a network knows, from its training sentences."""

from collections import Counter

import numpy as np

import alphabet as abc
from labels import OUTSIDE, UNKNOWN


def count_words(stores, phi_weight):
    """How often each word stands outside of PHI, plus phi_weight times how often inside.

    Made-up names are drawn anew for every epoch: what they say about how often a name
    occurs is what its source says, so they count for less than text.
    """
    counts = Counter()
    for store in stores:
        inside = np.array([t not in (OUTSIDE, UNKNOWN) for t, _ in store.pairs] or [False])[store.tags]
        weights = np.where(inside, phi_weight, 1.0)
        by_form = np.bincount(store.tokens, weights, len(store.forms))
        for form, weight in zip(store.forms, by_form):
            counts[abc.key(form)] += float(weight)
    return counts


def choose_words(stores, size, at_least, phi_weight):
    """The most frequent words, most frequent first; ties by the alphabet."""
    counts = count_words(stores, phi_weight)
    ranked = sorted((w for w, n in counts.items() if n >= at_least and w), key=lambda w: (-counts[w], w))
    return abc.Words(ranked[:size]), np.array([0, 0] + [counts[w] for w in ranked[:size]])


def choose_chars(stores, size, at_least, word_chars):
    """The most frequent characters, of words outside and inside of PHI alike."""
    counts = Counter()
    for store in stores:
        by_form = np.bincount(store.tokens, None, len(store.forms))
        for form, number in zip(store.forms, by_form):
            for rune in form:
                counts[rune] += int(number)
    kept = [rune for rune, n in counts.items() if n >= at_least]
    kept = sorted(kept, key=lambda r: (-counts[r], r))[:size]
    return abc.Alphabet("".join(sorted(kept)), word_chars)
