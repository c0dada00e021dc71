package peers

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Read reads another tool's predictions: a file or folder of any format that
// [corpus.ReadAnnotated] reads, or JSON Lines of {"id","spans"} or, for redacted text,
// {"id","text"}. labels resolves the tool's labels. If partial is true, gold documents may lack a
// prediction. All predictions are held in memory.
func Read(path string, format corpus.Format, labels corpus.Labels, partial bool) (*Peer, error) {
	p := &Peer{byID: map[string]prediction{}, labels: labels, partial: partial}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() || format != corpus.JSONLines && !isLines(path) {
		err = p.readAnnotated(path, format)
	} else {
		err = p.readFile(path)
	}
	if err == nil && len(p.byID) == 0 {
		err = errors.New("no predictions")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// isLines reports whether a file name is that of a JSON Lines file.
func isLines(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson") || strings.HasSuffix(name, ".json")
}

func (p *Peer) readAnnotated(path string, format corpus.Format) error {
	for doc, err := range corpus.ReadAnnotatedAs(path, format) {
		if err != nil {
			return err
		}
		pred := prediction{text: doc.Text}
		for _, m := range doc.Marks {
			pred.marks = append(pred.marks, peerMark{Mark: m})
		}
		if err := p.put(doc.ID, pred); err != nil {
			return err
		}
	}
	return nil
}

func (p *Peer) readFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if !strings.HasSuffix(strings.ToLower(path), ".gz") {
		return p.readLines(file)
	}
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	return errors.Join(p.readLines(unpacked), unpacked.Close())
}

// readLines reads JSON Lines. Errors name the line and quote no content.
func (p *Peer) readLines(r io.Reader) error {
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))); len(line) > 0 {
			if err := p.readLine(line); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if last {
			return nil
		}
	}
}

// peerLine is a line of predictions. Offsets count code points of the gold text.
type peerLine struct {
	ID    json.RawMessage `json:"id"`
	Text  *string         `json:"text"`
	Spans *[]struct {
		Start *int    `json:"start"`
		End   *int    `json:"end"`
		Type  string  `json:"type"`
		Label string  `json:"label"`
		Text  *string `json:"text"`
	} `json:"spans"`
}

func (p *Peer) readLine(raw []byte) error {
	if !utf8.Valid(raw) {
		return errors.New("not valid UTF-8")
	}
	var line peerLine
	if err := json.Unmarshal(raw, &line); err != nil {
		return corpus.JSONError(err)
	}
	id, err := plainID(line.ID)
	if err != nil {
		return err
	}
	if line.Text != nil {
		if err := text.Check(*line.Text); err != nil {
			return err
		}
	}
	switch {
	case line.Spans == nil && line.Text == nil:
		return errors.New(`want "spans", or the redacted "text"`)
	case line.Spans == nil:
		return p.put(id, prediction{text: *line.Text, redacted: true})
	}
	var pred prediction
	if line.Text != nil {
		pred.text = *line.Text
	}
	for i, s := range *line.Spans {
		switch {
		case s.Start == nil || s.End == nil:
			return fmt.Errorf(`span %d: want "start" and "end"`, i+1)
		case s.Type != "" && s.Label != "":
			return fmt.Errorf(`span %d: either "type", one of pgdeid's, or "label"`, i+1)
		}
		mark := corpus.Mark{Start: *s.Start, End: *s.End, Label: s.Type + s.Label, Exact: s.Type != ""}
		pred.marks = append(pred.marks, peerMark{mark, true, s.Text})
	}
	return p.put(id, pred)
}

// plainID returns an id that is a text or a number.
func plainID(raw json.RawMessage) (string, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err == nil && s != "" {
		return s, nil
	}
	var n json.Number
	if err := json.Unmarshal(raw, &n); err == nil && n != "" {
		return n.String(), nil
	}
	return "", errors.New(`want an "id", a text or a number, by which the gold knows the document`)
}

func (p *Peer) put(id string, pred prediction) error {
	if id == "" {
		return errors.New("a prediction has no id")
	}
	if _, again := p.byID[id]; again {
		return fmt.Errorf("document %s is predicted twice", id)
	}
	p.byID[id] = pred
	return nil
}
