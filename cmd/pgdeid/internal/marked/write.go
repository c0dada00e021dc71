package marked

import (
	"errors"
	"io"
	"io/fs"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
)

// NewWriter makes a new file or folder of a format; - is standard output, for JSON Lines.
func NewWriter(stdout io.Writer, path string, format corpus.Format, labels corpus.Labels) (corpus.AnnotatedWriter, error) {
	if path == "-" {
		if format != corpus.JSONLines {
			return nil, command.UsageError("only %s can be written to standard output", corpus.JSONLines)
		}
		return corpus.NewMarkedLines(stdout), nil
	}
	w, err := corpus.NewAnnotatedWriter(path, format, labels)
	if errors.Is(err, fs.ErrExist) {
		return nil, command.UsageError("%s exists: choose another name", path)
	}
	if err != nil {
		return nil, command.UsageError("%w", err)
	}
	return w, nil
}
