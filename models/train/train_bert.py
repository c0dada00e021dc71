"""The stages of train.py for a BERT token classifier."""

import os

from tokenizers import Tokenizer

import bert
from loss import TagLoss
import prepare
from train import Run


class BertRun(Run):
    """Wordpieces instead of words and characters. The tokeniser comes from the checkpoint
    or the version that it goes on from, or else is made of the first training file."""

    def _tagger(self):
        options = bert.options_of(self.net)
        path = os.path.join(self.folder, "tokenizer.json")
        given = options["checkpoint"] or (os.path.dirname(self.base) if self.base else "")
        if given:
            self.tokenizer = Tokenizer.from_file(os.path.join(given, "tokenizer.json"))
        elif os.path.exists(path):
            self.tokenizer = Tokenizer.from_file(path)
        else:
            first = prepare.names_of(self.settings)[:1]
            self.tokenizer = bert.new_tokenizer([self._words(first)], options["vocabulary"])
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.tokenizer.save(path)
        return bert.Tagger(self.labels, self.tokenizer.get_vocab_size(), options)

    def _language_head(self):
        return bert.LanguageHead(self.tagger)

    def _words(self, files):
        return prepare.corpus(self.settings, files, self.letters, self.words)

    def corpus(self, files, rng):
        return bert.PieceCorpus(self._words(files), self.tokenizer, self.net["change"], rng)

    def work(self, name, corpus, options, rng):
        allowed = corpus.tag_ids.table(self.labels)
        loss = TagLoss(allowed, options.get("phi_weight", 1.0), options.get("smoothing", 0.0), self.device)
        return bert.Work(self, name, corpus, options, rng, loss)
