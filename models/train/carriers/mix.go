package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// idle is how often in a row a source may give nothing new before it counts as
// exhausted.
const idle = 3000

// mixed draws sentences from sources by their weights, n in all, and returns them
// as lines in an order of chance.
func (w *world) mixed(rng *rand.Rand, sources []source, n int, report io.Writer) ([][]byte, error) {
	total := 0.0
	for _, s := range sources {
		total += w.set.Weights[s.name]
	}
	var lines [][]byte
	have := newSeen(w.set.Same)
	for _, s := range sources {
		want := int(float64(n) * w.set.Weights[s.name] / total)
		got, phi, err := w.take(rng, s, want, have, &lines)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintf(report, "  %-12s %7d sentences, %4.1f%% with PHI\n", s.name, got, 100*float64(phi)/float64(max(got, 1)))
	}
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines, nil
}

// take appends up to want sentences of a source to lines, some of them damaged.
func (w *world) take(rng *rand.Rand, s source, want int, have *seen, lines *[][]byte) (got, phi int, err error) {
	for dry := 0; got < want && dry < idle; dry++ {
		sentences, err := s.next()
		if err != nil {
			return got, phi, err
		}
		for _, x := range sentences {
			if got == want || have.enough(x) {
				continue
			}
			if rng.Float64() < w.set.Damaged {
				if worse := damaged(rng, x); len(worse.Words) > 0 {
					x = worse
				}
			}
			w.known.add(x)
			line, err := encode(x)
			if err != nil {
				return got, phi, err
			}
			*lines = append(*lines, line)
			got, dry = got+1, 0
			if hasPHI(x) {
				phi++
			}
		}
	}
	return got, phi, nil
}

// encode returns a sentence as a line of JSON, with its line break.
func encode(x sentence) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(x)
	return b.Bytes(), err
}

// The permissions of files: what is made up, and what holds a site's own notes.
const (
	forAll   os.FileMode = 0o644
	forOwner os.FileMode = 0o600
)

// writeLines writes lines to a file of the folder, whole or not at all.
func writeLines(dir, name string, perm os.FileMode, lines [][]byte) (err error) {
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, perm)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(path+".new"))
		}
	}()
	out := bufio.NewWriterSize(f, 1<<20)
	for _, line := range lines {
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
