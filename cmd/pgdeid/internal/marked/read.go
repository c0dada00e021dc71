// Package marked reads and writes notes whose PHI is marked, as flags of commands name them.
package marked

import (
	"io"
	"iter"
	"os"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
)

// ParseFormat returns the format that a flag names; without a name, each file is looked at.
func ParseFormat(flag, name string) (corpus.Format, error) {
	if name == "" {
		return corpus.Auto, nil
	}
	format, err := corpus.ParseFormat(name)
	if err != nil {
		return format, command.UsageError("%s: %w", flag, err)
	}
	return format, nil
}

// LoadLabels reads the file of --labels; without one, it returns the labels that the program knows.
func LoadLabels(path string) (corpus.Labels, error) {
	if path == "" {
		return corpus.BuiltinLabels(), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, command.UsageError("--labels: %w", err)
	}
	defer file.Close()
	labels, err := corpus.ReadLabels(file)
	if err != nil {
		return nil, command.UsageError("--labels: %s: %w", path, err)
	}
	return labels, nil
}

// Read reads one file or folder after the other; - is standard input, as JSON
// Lines.
func Read(stdin io.Reader, paths []string, format corpus.Format) iter.Seq2[corpus.Annotated, error] {
	return func(yield func(corpus.Annotated, error) bool) {
		for _, path := range paths {
			docs := corpus.ReadAnnotatedAs(path, format)
			if path == "-" {
				docs = corpus.ReadMarkedLines(stdin)
			}
			for doc, err := range docs {
				if !yield(doc, err) {
					return
				}
			}
		}
	}
}
