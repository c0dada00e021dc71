//go:build native

package onnx

import (
	"context"
	"encoding/json"
	"fmt"
)

// paritySentence is a made-up sentence and what the training code's network says of
// each of its words: the number of the most probable label.
type paritySentence struct {
	Words  []string `json:"words"`
	Gaps   []gap    `json:"gaps"`
	Labels []int    `json:"labels"`
	// Features has a row of columns for each word, each value as package features numbers
	// it; none: all are blank.
	Features []columns `json:"features"`
}

// CheckParity compares the most probable label of each word of the sentences of
// parity.json, for wordpiece models that of its first piece, for networks that score
// sequences those of the best one, with those that the training code's network gave. A difference means that words are not made into
// numbers as in training.
func (m *Model) CheckParity() error {
	if m.parity == nil {
		return ErrNoParity
	}
	var sentences []paritySentence
	if err := json.Unmarshal(m.parity, &sentences); err != nil {
		return fmt.Errorf("model %s: %s: %w", m.name, parityFile, err)
	}
	if len(sentences) == 0 {
		return fmt.Errorf("model %s: %s has no sentences", m.name, parityFile)
	}
	for i, s := range sentences {
		if err := m.checkSentence(&s); err != nil {
			return fmt.Errorf("model %s: %s: sentence %d: %w", m.name, parityFile, i+1, err)
		}
	}
	return nil
}

func (m *Model) checkSentence(s *paritySentence) error {
	if len(s.Words) == 0 || len(s.Words) > maxWindow || len(s.Gaps) != len(s.Words) || len(s.Labels) != len(s.Words) {
		return fmt.Errorf("%d words, %d gaps and %d labels: want as many of each, from 1 to %d",
			len(s.Words), len(s.Gaps), len(s.Labels), maxWindow)
	}
	if s.Features != nil && len(s.Features) != len(s.Words) {
		return fmt.Errorf("%d words and %d rows of features", len(s.Words), len(s.Features))
	}
	units := make([]unit, len(s.Words))
	for i, word := range s.Words {
		units[i] = unit{text: word, token: i, gap: s.Gaps[i]}
		if s.Features != nil && m.reader.features {
			units[i].columns = s.Features[i]
		}
	}
	got, err := m.best(context.Background(), units)
	if err != nil {
		return err
	}
	for i, label := range s.Labels {
		if got[i] != label {
			return fmt.Errorf("word %d: label %d, in training %d", i+1, got[i], label)
		}
	}
	return nil
}

// best returns the number of the most probable label of each unit, or those of the most
// probable sequence.
func (m *Model) best(ctx context.Context, units []unit) ([]int, error) {
	m.use.RLock()
	defer m.use.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	j, rows, err := m.sentenceJob(units)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(units))
	j.answer = func(logits []float32, s *scratch) error {
		if m.chain != nil {
			path, err := m.chain.best(logits, &s.chain)
			copy(out, path)
			return err
		}
		for i, row := range rows {
			out[i] = argmax(logits[row*m.net.labels : (row+1)*m.net.labels])
		}
		return nil
	}
	return out, m.wait(ctx, []*job{j})
}

// sentenceJob makes the job of a sentence that fits into a window, but for its answer, and
// returns in which row of the logits each unit is.
func (m *Model) sentenceJob(units []unit) (j *job, rows []int, err error) {
	rows = make([]int, len(units))
	if m.tok == nil {
		for i := range rows {
			rows[i] = i
		}
		j, err = m.wordJob(units)
		return j, rows, err
	}
	var l line
	l.set(units)
	enc, err := m.tok.Encode(string(l.text), false)
	if err != nil {
		return nil, nil, err
	}
	if len(enc.IDs) > m.window {
		return nil, nil, fmt.Errorf("%d wordpieces are more than a window has", len(enc.IDs))
	}
	ids := m.frame.in(enc.IDs)
	for p := len(enc.Offsets) - 1; p >= 0; p-- { // backwards: the first piece stays
		from, to := l.unitsAt(enc.Offsets[p][0], enc.Offsets[p][1])
		for u := from; u < to; u++ {
			rows[u] = p + len(m.frame.before)
		}
	}
	return &job{length: len(ids), rows: len(ids), ids: ids}, rows, nil
}

func argmax(x []float32) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}
