"""Networks that read characters: a convolution or an LSTM in each direction over each
word's characters and an embedding of known words, then either LSTMs or a transformer over
the sentence, and, for those of the papers, scores of steps from label to label.

Inputs are integers: chars [B, W, word_chars], words [B, W], gaps [B, W] and features
[B, W, columns], padded at the right with 0; the output is logits [B, W, labels]. A sentence's logits do not depend on
what it is batched with: nothing is normalised over the batch, the backward LSTM starts
at the last word of each sentence, and padding is masked in the attention.
"""

import torch
import torch.nn.functional as F
from torch import nn

import features as columns
from sequence import Transitions

WIDTHS = 4  # convolutions of widths 2, 3, 4 and 5
WIDEST = 5


class CharFront(nn.Module):
    """Characters of a word -> features: convolutions of widths 2 to 5, the maximum over
    all places. All widths are one matrix product over windows of five characters, with
    the weights beyond a width fixed to zero.

    A window that holds only padding gives 0, and the maximum is taken with 0, so that it
    does not matter how far words are padded.
    """

    def __init__(self, alphabet, size=16, filters=32):
        super().__init__()
        self.embed = nn.Embedding(alphabet, size, padding_idx=0)
        nn.init.normal_(self.embed.weight, std=0.5)
        with torch.no_grad():
            self.embed.weight[0] = 0
        self.weight = nn.Parameter(torch.zeros(WIDEST * size, WIDTHS * filters))
        keep = torch.zeros(WIDEST, size, WIDTHS, filters)
        for i, width in enumerate(range(2, WIDEST + 1)):
            keep[:width, :, i, :] = 1
            nn.init.normal_(
                self.weight.data.view(WIDEST, size, WIDTHS, filters)[:, :, i, :],
                std=(2.0 / (width * size)) ** 0.5,
            )
        with torch.no_grad():
            self.weight.mul_(keep.reshape(self.weight.shape))
        self.register_buffer("keep", keep.reshape(WIDEST * size, WIDTHS * filters), persistent=False)
        self.out = WIDTHS * filters

    def forward(self, chars):
        """[N, L] of character ids -> [N, out]."""
        x = F.pad(self.embed(chars), (0, 0, 1, WIDEST - 1))
        places = chars.shape[1]
        windows = torch.cat([x[:, i : i + places, :] for i in range(WIDEST)], dim=2)
        # What keep hides is zero from the start and gets no gradient, so it stays zero.
        weight = self.weight * self.keep if self.training else self.weight
        return torch.relu((windows @ weight).amax(dim=1))


class CharLSTM(nn.Module):
    """Characters of a word -> features: the last states of an LSTM in each direction
    (paper: Dernoncourt et al. 2017, 2.2.2). A word without characters gives 0."""

    def __init__(self, alphabet, size=25, hidden=25):
        super().__init__()
        self.embed = nn.Embedding(alphabet, size, padding_idx=0)
        nn.init.normal_(self.embed.weight, std=0.5)
        with torch.no_grad():
            self.embed.weight[0] = 0
        self.read = BiLSTM(size, hidden)
        self.hidden, self.out = hidden, 2 * hidden

    def forward(self, chars):
        """[N, L] of character ids -> [N, out]."""
        length = (chars != 0).sum(dim=1, keepdim=True)
        # No further than the longest word goes: most are half as long as what there is room for.
        chars = chars[:, : length.max().clamp(min=1)]
        states = self.read(self.embed(chars), turned(chars))
        last = (length - 1).clamp(min=0).unsqueeze(2).expand(-1, -1, self.hidden)
        there = states[:, :, : self.hidden].gather(1, last).squeeze(1)
        # The one that reads backwards has come to the end at the first character.
        return torch.cat([there, states[:, 0, self.hidden :]], dim=1) * (length > 0)


class Front(nn.Module):
    """A word's characters, its embedding and what stands before it -> one vector.

    characters is "cnn" (char_size, filters), "lstm" (char_size, char_hidden) or "none";
    a word_size of 0 leaves the embedding out."""

    def __init__(
        self, alphabet, words, characters="cnn", char_size=16, filters=32, char_hidden=25, word_size=64, gap_size=8, feature_size=0
    ):
        super().__init__()
        if characters not in ("cnn", "lstm", "none") or characters == "none" and not word_size:
            raise ValueError(f"front: characters {characters!r}, word_size {word_size}: want cnn, lstm or, with words, none")
        self.chars = self.words = None
        if characters == "cnn":
            self.chars = CharFront(alphabet, char_size, filters)
        elif characters == "lstm":
            self.chars = CharLSTM(alphabet, char_size, char_hidden)
        if word_size:
            self.words = nn.Embedding(words, word_size, padding_idx=0)
            nn.init.normal_(self.words.weight, std=0.3)
            with torch.no_grad():
                self.words.weight[0] = 0
        self.gaps = nn.Embedding(4, gap_size)  # 0 nothing, 1 blanks, 2 a line break, 3 spare
        # The columns share one table of rows, and a word is the sum of its rows.
        self.features = nn.Embedding(columns.ROWS, feature_size) if feature_size else None
        if feature_size:
            nn.init.normal_(self.features.weight, std=0.1)
        self.out = (self.chars.out if self.chars else 0) + word_size + 2 * gap_size + feature_size

    def forward(self, chars, words, gaps, features=None, spread=None):
        """With spread [B, W], chars is a list of blocks that hold each distinct word of the
        batch once, and spread says which of their rows stands where."""
        parts = []
        if self.chars is not None:
            parts.append(self._read(chars, spread))
        if self.words is not None:
            parts.append(self.words(words))
        parts += self._around(words, gaps)
        if self.features is not None:
            parts.append(self.features(features).sum(dim=2))
        return torch.cat(parts, dim=2)

    def _read(self, chars, spread):
        if spread is not None:
            return F.embedding(spread, torch.cat([self.chars(block) for block in chars]))
        batch, length, size = chars.shape
        return self.chars(chars.reshape(batch * length, size)).reshape(batch, length, self.chars.out)

    def _around(self, words, gaps):
        """What stands before each word, and after it."""
        # What stands after a word is what stands before the next one; after the last, a line break.
        last = torch.full_like(gaps[:, :1], 2)
        following = torch.where(
            F.pad(words[:, 1:], (0, 1)) == 0,
            last,
            torch.cat([gaps[:, 1:], last], dim=1),
        )
        return self.gaps(gaps), self.gaps(following)


def turned(words):
    """[B, W] of places: each sentence backwards, its padding left where it is."""
    length = (words != 0).sum(dim=1, keepdim=True)
    place = torch.arange(words.shape[1], device=words.device).unsqueeze(0)
    return torch.where(place < length, length - 1 - place, place)


def turn(x, places):
    return x.gather(1, places.unsqueeze(2).expand(-1, -1, x.shape[2]))


class BiLSTM(nn.Module):
    """One LSTM in each direction."""

    def __init__(self, size, hidden):
        super().__init__()
        self.there = nn.LSTM(size, hidden, batch_first=True)
        self.back = nn.LSTM(size, hidden, batch_first=True)
        for lstm in (self.there, self.back):
            nn.init.orthogonal_(lstm.weight_hh_l0)
            with torch.no_grad():
                lstm.bias_ih_l0[hidden : 2 * hidden] = 1  # forget little at first
                lstm.bias_hh_l0.zero_()

    def forward(self, x, places):
        there = self.there(x)[0]
        back = turn(self.back(turn(x, places))[0], places)
        return torch.cat([there, back], dim=2)


class LSTMEncoder(nn.Module):
    def __init__(self, size, hidden=(128, 128), dropout=0.3):
        super().__init__()
        sizes = [size] + [2 * h for h in hidden]
        self.layers = nn.ModuleList(BiLSTM(a, h) for a, h in zip(sizes, hidden))
        self.dropout = nn.Dropout(dropout)
        self.out = sizes[-1]

    def forward(self, x, words):
        places = turned(words)
        for layer in self.layers:
            x = layer(self.dropout(x), places)
        return x


class Attention(nn.Module):
    """Attention of several heads with a learned bias for each distance up to reach;
    what is farther away shares one."""

    def __init__(self, size, heads, reach):
        super().__init__()
        self.heads, self.reach = heads, reach
        self.qkv = nn.Linear(size, 3 * size)
        self.out = nn.Linear(size, size)
        # Heads begin by looking at one neighbour each, so that places count from the start.
        bias = torch.zeros(heads, 2 * reach + 1)
        for head, offset in zip(range(heads - 1), [-1, 1, -2, 2, 0, -3, 3]):
            bias[head, reach + offset] = 4.0
        self.distance = nn.Parameter(bias)

    def forward(self, x, blocked):
        batch, length, size = x.shape
        qkv = self.qkv(x).reshape(batch, length, 3, self.heads, size // self.heads)
        query, keys, values = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        place = torch.arange(length, device=x.device)
        offset = (place.unsqueeze(0) - place.unsqueeze(1)).clamp(-self.reach, self.reach) + self.reach
        scores = (query @ keys.transpose(2, 3)) * (size // self.heads) ** -0.5
        scores = scores + self.distance[:, offset] + blocked
        mixed = torch.softmax(scores, dim=3) @ values
        return self.out(mixed.permute(0, 2, 1, 3).reshape(batch, length, size))


class Layer(nn.Module):
    """Pre-norm: attention, then two linear maps with a ReLU."""

    def __init__(self, size, heads, inner, reach, dropout):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.attention = Attention(size, heads, reach)
        self.grow, self.shrink = nn.Linear(size, inner), nn.Linear(inner, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, blocked):
        x = x + self.dropout(self.attention(self.norm1(x), blocked))
        return x + self.dropout(self.shrink(torch.relu(self.grow(self.norm2(x)))))


class TransformerEncoder(nn.Module):
    def __init__(self, size, width=192, layers=3, heads=6, inner=384, reach=16, dropout=0.1):
        super().__init__()
        self.project = nn.Linear(size, width)
        self.layers = nn.ModuleList(Layer(width, heads, inner, reach, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)
        self.out = width

    def forward(self, x, words):
        blocked = (words == 0).to(x.dtype)[:, None, None, :] * -1e4
        x = self.project(self.dropout(x))
        for layer in self.layers:
            x = layer(x, blocked)
        return self.norm(x)


ENCODERS = {"lstm": LSTMEncoder, "transformer": TransformerEncoder, "ann": LSTMEncoder}


class Tagger(nn.Module):
    """Front, encoder and a linear map to the labels, with one hidden layer before it if the
    encoder's options say how wide (inner). With sequence its logits are scored together
    with the steps from label to label, which it holds as sequence."""

    def __init__(self, kind, alphabet, words, labels, front=None, encoder=None, sequence=False):
        super().__init__()
        options = dict(encoder or {})
        inner = options.pop("inner", 0) if kind == "ann" else 0
        self.front = Front(alphabet, words, **(front or {}))
        self.encoder = ENCODERS[kind](self.front.out, **options)
        self.dropout = nn.Dropout(options.get("dropout", 0.1))
        self.inner = nn.Linear(self.encoder.out, inner) if inner else None
        self.labels = nn.Linear(inner or self.encoder.out, labels)
        self.sequence = Transitions(labels) if sequence else None

    def encode(self, chars, words, gaps, features=None, spread=None):
        return self.encoder(self.front(chars, words, gaps, features, spread), words)

    def forward(self, chars, words, gaps, features=None, spread=None, **_):
        encoded = self.dropout(self.encode(chars, words, gaps, features, spread))
        return self.labels(encoded if self.inner is None else torch.tanh(self.inner(encoded)))


class LanguageHead(nn.Module):
    """Guesses a masked word from its context: the tagger's own embedding of the most
    frequent words, read backwards."""

    def __init__(self, tagger, frequent):
        super().__init__()
        size = tagger.front.words.weight.shape[1]
        self.frequent = frequent
        self.project = nn.Linear(tagger.encoder.out, size)
        self.bias = nn.Parameter(torch.zeros(frequent))

    def forward(self, encoded, embedding):
        """encoded [N, encoder.out] -> [N, frequent], whose column i is word id FIRST_WORD + i."""
        table = embedding[2 : 2 + self.frequent]
        return F.linear(torch.tanh(self.project(encoded)), table, self.bias)


def parameters(network):
    return sum(p.numel() for p in network.parameters())
