//go:build native

package onnx

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Model is a token classifier: a network, with what makes its inputs of a text and
// what its outputs mean. It is safe for several goroutines.
type Model struct {
	name    string
	runtime *Runtime
	labels  *labelSet
	chain   *chain // of a network that scores sequences of labels, else nil
	net     *network
	tok     *Tokenizer // of a wordpiece model, else nil
	words   *Tokenizer // of a network that reads words and their wordpieces, else nil
	speller *speller   // of a network that reads words and their wordpieces, else nil
	frame   frame
	window  int // wordpieces at once, without special tokens
	reader  reader
	cache   *cache
	parity  []byte // parity.json, or nil
	kind    *kind  // what another machine has to have to run it

	use    sync.RWMutex // held for reading while the model is in use
	closed bool
	jobs   sync.WaitGroup // in the queue or running, also of callers that gave up

	sentences, hits, windows atomic.Uint64
}

// graphFiles are where the graph may be; the first that is there is taken.
var graphFiles = []string{"model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx"}

var modelFiles = append([]string{"config.json", "tokenizer.json", "words.txt", parityFile}, graphFiles...)

// Load reads a model from a folder in the layout that Hugging Face's tools export
// (model.onnx, which may be in a folder onnx and be called model_quantized.onnx;
// config.json with id2label; tokenizer.json), or that of networks with a character
// front (words.txt and a block "pgdeid" in config.json; tokenizer.json only where the
// block has "pieces"). The name is for messages and for members.
//
// Every file that opts.Sums lists is checked before any of them is parsed; an error
// that [errors.Is] [ErrSum] says which one is missing or changed.
func (r *Runtime) Load(name string, folder fs.FS, opts ModelOptions) (*Model, error) {
	files, err := openFolder(name, folder, opts, modelFiles...)
	if err != nil {
		return nil, err
	}
	m := &Model{name: name, runtime: r}
	if err := m.load(files, opts); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", files.where, err), m.free())
	}
	if err := r.add(m); err != nil {
		return nil, errors.Join(err, m.free())
	}
	return m, nil
}

func (m *Model) load(files *verifiedFolder, opts ModelOptions) error {
	data, err := files.read("config.json")
	if err != nil {
		return err
	}
	cfg, err := parseConfig(data)
	if err != nil {
		return err
	}
	names, err := orderLabels(cfg.ID2Label)
	if err != nil {
		return err
	}
	if m.labels, err = parseLabels(names, opts.Labels); err != nil {
		return err
	}
	if opts.Cache >= 0 {
		entries := opts.Cache
		if entries == 0 {
			entries = DefaultCache
		}
		if m.cache, err = newCache(entries); err != nil {
			return err
		}
	}
	if files.has(parityFile) {
		if m.parity, err = files.read(parityFile); err != nil {
			return err
		}
	}
	graph, err := files.readFirst(graphFiles...)
	if err != nil {
		return err
	}
	if cfg.ModelType == wordsModel {
		err = m.loadWords(files, cfg, graph)
	} else {
		err = m.loadPieces(files, cfg, graph)
	}
	m.kind = &kind{
		digest: files.digest(opts.Labels), types: len(m.labels.types), chained: m.chain != nil,
		pieces: m.tok != nil, spelled: m.speller != nil, featured: m.reader.features,
	}
	return err
}

func (m *Model) loadWords(files *verifiedFolder, cfg *config, graph []byte) error {
	list, err := files.read("words.txt")
	if err != nil {
		return err
	}
	v, err := newVocabulary(cfg.Words, list)
	if err != nil {
		return err
	}
	m.reader = reader{size: cfg.Words.segment(), overlap: overlap, features: cfg.Words.Features > 0}
	if cfg.Words.Window > 0 {
		m.reader.note, m.reader.overlap = true, noteOverlap
	}
	if cfg.Words.Chain != nil {
		m.chain = newChain(cfg.Words.Chain)
	}
	// A network may leave out characters, gaps or, where it reads wordpieces, the numbers of words.
	wanted := []string{"words"}
	if cfg.Words.Pieces != nil {
		wanted = []string{"pieces", "begins"}
		if err := m.loadSpeller(files, cfg); err != nil {
			return err
		}
	}
	if m.reader.features {
		wanted = append(wanted, "features")
	}
	m.net, err = newNetwork(graph, wordInputs(v, cfg.Words), wanted, len(m.labels.class))
	return err
}

// loadSpeller reads the tokenizer of a network that reads words and their wordpieces.
func (m *Model) loadSpeller(files *verifiedFolder, cfg *config) error {
	if most := cfg.positions() - 2; m.reader.size > most {
		return fmt.Errorf("config.json: %d words at once are too many for %d wordpieces", m.reader.size, most)
	}
	definition, err := files.read("tokenizer.json")
	if err != nil {
		return err
	}
	if m.words, err = NewTokenizer(definition); err != nil {
		return fmt.Errorf("tokenizer.json: %w", err)
	}
	m.speller = newSpeller(cfg.Words.Pieces, cfg.positions(), m.words.word)
	frame, err := frameFor(m.words)
	if err != nil {
		return err
	}
	if p := cfg.Words.Pieces; len(frame.before) > 0 && !frame.is(p.CLS, p.SEP) {
		return fmt.Errorf("config.json: pieces has cls %d and sep %d, tokenizer.json has others", p.CLS, p.SEP)
	}
	return nil
}

// frameFor finds the special tokens of a tokenizer.
func frameFor(t *Tokenizer) (frame, error) {
	with, err := t.Encode("a", true)
	if err != nil {
		return frame{}, err
	}
	without, err := t.Encode("a", false)
	if err != nil {
		return frame{}, err
	}
	return frameOf(with.IDs, without.IDs)
}

func (m *Model) loadPieces(files *verifiedFolder, cfg *config, graph []byte) error {
	definition, err := files.read("tokenizer.json")
	if err != nil {
		return err
	}
	if m.tok, err = NewTokenizer(definition); err != nil {
		return fmt.Errorf("tokenizer.json: %w", err)
	}
	if m.frame, err = frameFor(m.tok); err != nil {
		return err
	}
	m.reader = reader{size: maxWindow, overlap: overlap, limit: maxUnit}
	m.window = cfg.window() - len(m.frame.before) - len(m.frame.after)
	if m.window < 8 {
		return fmt.Errorf("config.json: max_position_embeddings is %d, too few", cfg.MaxPositions)
	}
	m.net, err = newNetwork(graph, pieceInputs(cfg.pad()), []string{"input_ids", "attention_mask"}, len(m.labels.class))
	return err
}

// Name returns the name that the model was loaded under.
func (m *Model) Name() string { return m.name }

// Types lists the PHI types that the model distinguishes.
func (m *Model) Types() []phi.Type { return append([]phi.Type(nil), m.labels.types...) }

// Stats returns what the model has counted so far.
func (m *Model) Stats() Stats {
	s := Stats{
		Sentences: m.sentences.Load(), Hits: m.hits.Load(), Windows: m.windows.Load(),
		Batches: m.net.batches.Load(), Cells: m.net.cells.Load(), Padding: m.net.padding.Load(), Running: time.Duration(m.net.running.Load()),
	}
	if m.cache != nil {
		s.Cached = m.cache.len()
	}
	return s
}

// Close waits until the model is no longer in use and frees it. Members of a closed model
// fail with [ErrClosed]. A second Close does nothing.
func (m *Model) Close() error {
	m.use.Lock()
	defer m.use.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	m.jobs.Wait()
	m.runtime.remove(m)
	return m.free()
}

// free gives native memory back, of a model that was not wholly loaded too.
func (m *Model) free() error {
	var errs []error
	if m.net != nil && m.net.session != nil {
		errs = append(errs, m.net.session.Destroy())
	}
	for _, t := range []*Tokenizer{m.tok, m.words} {
		if t != nil {
			errs = append(errs, t.Close())
		}
	}
	return errors.Join(errs...)
}
