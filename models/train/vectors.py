"""Word vectors that were trained elsewhere, as a network's first embedding: a text file
of "word number number ..." lines, as GloVe and word2vec write them.

None come with this project. The vectors of https://nlp.stanford.edu/projects/glove are
public domain (PDDL) and may be used; a network made with them says so in its card.
"""

import numpy as np

import alphabet as abc


def read(path, words, size):
    """-> a matrix [words, size], and which rows of it the file knows. What a line holds is
    not quoted in errors; vectors of another size are one."""
    table, known = np.zeros((len(words), size), np.float32), np.zeros(len(words), bool)
    with open(path, encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            word, *values = line.rstrip().split(" ")
            if number == 1 and len(values) == 1:
                continue  # word2vec begins with how many words and numbers there are
            if len(values) != size:
                raise ValueError(f"{path}, line {number}: {len(values)} numbers, word_size is {size}")
            at = words.id(word)
            # Words that differ in digits only are one word here; the first is the most frequent.
            if at >= abc.FIRST_WORD and not known[at]:
                table[at], known[at] = values, True
    if not known.any():
        raise ValueError(f"{path}: none of its words is known")
    return table, known


def put(embedding, path, words):
    """Sets the rows of a torch embedding that the file knows, scaled to the spread of
    those that it does not. -> their number."""
    import torch

    weight = embedding.weight.data
    table, known = read(path, words, weight.shape[1])
    table *= float(weight[1:].std()) / max(float(table[known].std()), 1e-6)
    known = torch.from_numpy(known).to(weight.device)
    weight[known] = torch.from_numpy(table).to(weight.device)[known]
    return int(known.sum())
