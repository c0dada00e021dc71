package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// WriteJSON writes a result with the counts of each document, one per line, so that [ReadResult]
// and [Compare] can compare two runs. Misses and false alarms, if they were kept, quote the text.
func (r Result) WriteJSON(w io.Writer) error {
	head, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w) // keeps the first error for Flush
	fmt.Fprintf(out, "%s,\n  \"notes\": [", bytes.TrimSuffix(head, []byte("\n}")))
	comma := ""
	for _, n := range r.Notes {
		line, err := json.Marshal(n)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n    %s", comma, line)
		comma = ","
	}
	fmt.Fprint(out, "\n  ]\n}\n")
	return out.Flush()
}

// ReadResult reads the output of [Result.WriteJSON]. Its errors quote no content.
func ReadResult(r io.Reader) (Result, error) {
	var saved struct {
		Result
		Notes []score.Note `json:"notes"`
	}
	if err := json.NewDecoder(r).Decode(&saved); err != nil {
		return Result{}, corpus.JSONError(err)
	}
	if saved.Groups == nil || saved.Types == nil {
		return Result{}, errors.New("no result of 'pgdeid eval --json'")
	}
	saved.Result.Notes = saved.Notes
	return saved.Result, nil
}
