"""Trains one network of train.yaml: a language model stage, where it asks for one, then
fine-tuning on tagged sentences; writes checkpoints and at the end build/train/runs/NAME/model.pt.

    python models/train/train.py --network lstm --minutes 60

An interrupted run goes on where its last checkpoint was when it is started again with
--resume.
"""

import argparse
import os
import random
import time
from functools import partial

import numpy as np
import torch

import networks
import pieces
import prepare
import settings as conf
import shipped
import vectors
import weights
from batches import Assembler, plan
from corpus import Corpus
from labels import Labels
from loss import TagLoss
from schedule import Clock, rate
from sequence import SequenceLoss


class Run:
    """One network on its way through the stages."""

    def __init__(self, settings, name, minutes=None, resume=False, base=None, device=None, layers=None):
        """base: weights of the version to go on from, or its model folder; layers: weights of
        another network, of which those layers are taken over that are the same."""
        self.settings, self.name, self.net = settings, name, settings["networks"][name]
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.minutes = self.net["minutes"] if minutes is None else minutes
        self.folder = os.path.join(settings["folders"]["runs"], name)
        os.makedirs(self.folder, exist_ok=True)
        self.seed = settings["seed"] + sum(map(ord, name))
        random.seed(self.seed)
        np.random.seed(self.seed)
        torch.manual_seed(self.seed)
        before = self._before(base or layers)
        if before:  # the words and characters of the version that it goes on from
            self.letters, self.words, self.counts = weights.vocabulary(before)
        else:
            self.letters, self.words, self.counts = prepare.load(settings["folders"]["cache"])
        self.labels = Labels(self.net["types"])
        self.base, self.tokenizer = base, None
        self.tagger = self._tagger().to(self.device)
        self.language = None
        if self.net["language"]["share"] > 0 or self.net["fine_tuning"]["keep_language"] > 0:
            self.language = self._language_head().to(self.device)
        self.state = {"stage": "language", "epoch": 0, "batch": 0, "step": 0, "spent": 0.0, "steps": {}}
        self.state["base"] = base or layers or ""
        self.state["network"] = self.net | {"minutes": self.minutes}  # for the card
        self._begin(before, base, layers)
        self.saved_optimizer = None
        self.resumed = resume and self._load()
        self.low = self._precision()

    def _before(self, path):
        if not path:
            return None
        if not os.path.isdir(path):
            return weights.load(path)
        _, words, counts = prepare.load(self.settings["folders"]["cache"])
        return shipped.load(path, self.net, lambda word: counts[words.id(word)])

    def _begin(self, before, base, layers):
        """What the network knows before it is trained here."""
        if base:
            self._restore(before | {"tagger": weights.widened(self.tagger, before["tagger"])})
        elif layers:
            self.state["layers"] = weights.take_over(self.tagger, before["tagger"])
        elif self.net["vectors"]:
            self.state["vectors"] = vectors.put(self.tagger.front.words, self.net["vectors"], self.words)

    def _tagger(self):
        if self.net["kind"] == "pieces":
            self.tokenizer = pieces.tokenizer(self.net)
        return pieces.tagger_of(self.net, self.letters, self.words, self.labels)

    def _language_head(self):
        known = min(self.net["language"]["frequent"], len(self.words.words))
        return networks.LanguageHead(self.tagger, known)

    def _precision(self):
        wish = self.settings["precision"]
        if wish == "auto":
            # On processors bf16 gained nothing at the sizes of the small networks.
            wish = "fp32" if self.device == "cpu" and self.net["kind"] != "pieces" else "bf16"
        return wish == "bf16"

    def corpus(self, files, rng):
        """What one epoch reads."""
        return prepare.corpus(self.settings, files, self.letters, self.words, cases=True)

    def assembler(self, corpus, change, rng):
        made = pieces.Pieces(corpus, self.tokenizer) if self.tokenizer else None
        return Assembler(corpus, change, self.counts, rng, made)

    def work(self, name, corpus, options, rng):
        return Work(self, name, corpus, options, rng)

    # Checkpoints

    def _checkpoint(self):
        return os.path.join(self.folder, "checkpoint.pt")

    def _weights(self):
        saved = {"tagger": self.tagger.state_dict()}
        if self.language is not None:
            saved["language"] = self.language.state_dict()
        return saved

    def _restore(self, saved):
        self.tagger.load_state_dict(saved["tagger"])
        if self.language is not None and saved.get("language"):
            self.language.load_state_dict(saved["language"])

    def save(self, optimizer):
        saved = self._weights() | {"state": self.state, "optimizer": optimizer.state_dict()}
        torch.save(saved, self._checkpoint() + ".new")
        os.replace(self._checkpoint() + ".new", self._checkpoint())

    def _load(self):
        if not os.path.exists(self._checkpoint()):
            return False
        saved = weights.load(self._checkpoint(), self.device)
        self._restore(saved)
        self.state, self.saved_optimizer = saved["state"], saved["optimizer"]
        return True

    # Stages

    def train(self):
        language = self.net["language"]
        share = language["share"] if self.settings["files"]["text"] and not self.base else 0.0
        if self.state["stage"] == "language":
            if share > 0:
                self.stage("language", [self.settings["files"]["text"]], language, share)
            self.state.update(stage="tags", epoch=0, batch=0, step=0, spent=0.0)
        if self.state["stage"] == "tags":
            files = self.settings["files"]
            epochs = [(e if isinstance(e, list) else [e]) + files["extra"] for e in files["train"]]
            self.stage("tags", epochs, self.net["fine_tuning"], 1 - share)
            self.state["stage"] = "done"
        self.finish()

    def finish(self):
        path = os.path.join(self.folder, "model.pt")
        weights.save(path, self._weights() | {"state": self.state}, self.letters, self.words, self.counts)
        if os.path.exists(self._checkpoint()):
            os.remove(self._checkpoint())

    def stage(self, name, files, options, share):
        """files: for each epoch its files; fewer than epochs start again."""
        epochs = options["epochs"]
        trained = list(self.tagger.parameters()) + (list(self.language.parameters()) if self.language else [])
        optimizer = torch.optim.AdamW(groups(trained, options.get("weight_decay", 0.01)), lr=0.0, betas=(0.9, 0.98), fused=True)
        if self.saved_optimizer is not None:
            optimizer.load_state_dict(self.saved_optimizer)
            self.saved_optimizer = None
        self.log = Log(name, self)
        clock, state = None, self.state
        while state["epoch"] < epochs:
            begin = time.monotonic()
            chosen = files[state["epoch"] % len(files)]
            # The order of an epoch follows from its number, so that a run that was interrupted
            # sees the rest of what it would have seen.
            rng = np.random.default_rng([self.seed, name == "tags", state["epoch"]])
            corpus = self.corpus(chosen, rng)
            batches = plan(corpus, options["batch"], rng, self.settings["sources"])
            work = self.work(name, corpus, options, rng)
            if clock is None:
                begin = begin if state["spent"] == 0 else time.monotonic()
                seconds = self.minutes * 60 * share if self.minutes else None
                steps = min(epochs * len(batches), options.get("steps") or epochs * len(batches))
                clock = Clock(steps, seconds, state["step"], state["spent"] + time.monotonic() - begin)
            self.log.start(corpus, len(batches))
            if self.epoch(work, batches, optimizer, clock, options):
                break
            state.update(epoch=state["epoch"] + 1, batch=0)
        state["steps"][name] = {"steps": clock.step, "of": clock.steps, "minutes": round(clock.spent() / 60, 1)}
        self.log.end(clock)

    def epoch(self, work, batches, optimizer, clock, options):
        """True if the time is up."""
        state, saved = self.state, time.monotonic()
        self.tagger.train()
        for number in range(state["batch"], len(batches)):
            progress = clock.progress()
            if progress >= 1:
                return True
            for group in optimizer.param_groups:
                group["lr"] = rate(progress, options["rate"], options["warm_up"]) * group["slower"]
            loss, words = work.step(batches[number])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.tagger.parameters(), options.get("clip", 1.0))
            optimizer.step()
            clock.step += 1
            state.update(batch=number + 1, step=clock.step, spent=clock.spent())
            self.log.add(loss, words, clock)
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save(optimizer)
                saved = time.monotonic()
        return False


CHECKPOINT_SECONDS = 180


def groups(parameters, decay):
    """Parameters by what they are trained with: biases and norms do not decay, and some
    learn slower than the others."""
    by_kind = {}
    for p in parameters:
        if p.requires_grad:
            by_kind.setdefault((p.dim() > 1, getattr(p, "slower", 1.0)), []).append(p)
    return [
        {"params": found, "weight_decay": decay if matrix else 0.0, "slower": slower} for (matrix, slower), found in by_kind.items()
    ]


class Work:
    """What a step of a stage does: the loss of a batch."""

    def __init__(self, run, name, corpus, options, rng):
        self.run, self.name, self.options, self.rng = run, name, options, rng
        change = run.net["change"]
        self.assemble = run.assembler(corpus, change, rng)
        if name == "tags":
            allowed = corpus.tag_ids.table(run.labels)
            if run.net["sequence"]:
                self.sequences = SequenceLoss(allowed, run.tagger.sequence, run.device)
            else:
                self.words = TagLoss(allowed, options["phi_weight"], options["smoothing"], run.device)

    def step(self, rows):
        run = self.run
        with torch.autocast(run.device, torch.bfloat16, enabled=run.low):
            if self.name == "language":
                return self.language(rows)
            share = self.options["keep_language"]
            if share and self.rng.random() < share:
                return self.language(rows)
            batch = self.assemble(rows).to(run.device)
            logits = run.tagger(**batch.inputs())
        if run.net["sequence"]:
            return self.sequences(logits, batch.tags, batch.words != 0), batch.size
        return self.words(logits, batch.tags), batch.size

    def language(self, rows):
        run = self.run
        batch = self.assemble(rows, run.net["language"]["mask"], run.language.frequent).to(run.device)
        encoded = run.tagger.encode(batch.chars, batch.words, batch.gaps, batch.features, batch.spread)
        encoded = encoded.reshape(-1, encoded.shape[2])[batch.masked]
        guesses = run.language(encoded, run.tagger.front.words.weight)
        if not len(batch.targets):
            return guesses.sum() * 0.0, batch.size
        return torch.nn.functional.cross_entropy(guesses.float(), batch.targets), batch.size


class Log:
    """A line now and then: step, loss, words a second, time to go."""

    EVERY = 20.0

    def __init__(self, name, run):
        self.name, self.run = name, run
        self.total, self.begin = 0, time.monotonic()
        self._reset()

    def _reset(self):
        self.losses, self.words, self.since = [], 0, time.monotonic()

    def start(self, corpus, batches):
        state = self.run.state
        print(
            f"{self.run.name} {self.name} epoch {state['epoch'] + 1}: {len(corpus):,} sentences, "
            f"{len(corpus.tokens):,} words, {batches:,} batches, {self.run.device} "
            f"{'bf16' if self.run.low else 'fp32'}",
            flush=True,
        )

    def add(self, loss, words, clock):
        self.losses.append(loss.detach())
        self.words += words
        self.total += words
        if time.monotonic() - self.since >= self.EVERY:
            self.line(clock)
            self._reset()

    def line(self, clock):
        speed = self.words / (time.monotonic() - self.since)
        mean = float(torch.stack(self.losses).mean())
        left = clock.left()
        print(
            f"{self.run.name} {self.name} step {clock.step:,} {100 * clock.progress():.1f}% loss {mean:.4f} "
            f"{speed:,.0f} words/s, {(left or 0) / 60:.1f} min to go",
            flush=True,
        )

    def end(self, clock):
        if self.losses:
            self.line(clock)
        spent = time.monotonic() - self.begin
        print(f"{self.run.name} {self.name}: {self.total:,} words in {spent / 60:.1f} min", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="models/train/train.yaml")
    parser.add_argument("--network", required=True)
    parser.add_argument("--minutes", type=float, help="stop then, with the schedule scaled to it")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--base", help="weights.pt or model folder of the version to go on from, with its vocabulary; no language model stage then")
    parser.add_argument("--layers", help="weights.pt of another network: its vocabulary, and those of its layers that are the same")
    args = parser.parse_args()
    if args.base and args.layers:
        parser.error("--base goes on with a whole network, --layers begins a new one: give one of them")
    settings = conf.load(args.config)
    if args.layers and settings["networks"][args.network]["kind"] == "bert":
        parser.error("--layers is for networks of words; a bert begins with encoder.checkpoint")
    torch.set_num_threads(args.threads or settings["threads"])
    kind = Run
    if settings["networks"][args.network]["kind"] == "bert":
        from train_bert import BertRun as kind  # transformers take seconds to import
    elif args.layers:
        kind = partial(Run, layers=args.layers)
    run = kind(settings, args.network, args.minutes, args.resume, args.base)
    print(f"{args.network}: {networks.parameters(run.tagger):,} parameters, {len(run.labels)} labels", flush=True)
    for name in run.state.get("layers", []):
        print(f"{args.network}: {name} of {args.layers}", flush=True)
    run.train()


if __name__ == "__main__":
    main()
