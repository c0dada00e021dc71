package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// MaxLine is the maximum length of a line, in bytes.
const MaxLine = 128 << 20

// Line is one document of JSON Lines input: {"id","text","patient_id"?,"patient"?,"author"?,"format"?,"encoding"?}.
// Other fields are ignored.
type Line struct {
	ID        json.RawMessage // raw: a string, a number, or nil
	PatientID string          // "" if absent; numbers as they are written
	Author    string          // likewise: a login, a number
	Text      string
	Format    string        // what kind of document Text is; "" for plain text
	Encoding  string        // how it is wrapped; "" if it is not
	Patient   record.Record // nil if absent
	Number    int           // line number, from 1
}

// LineError is an error in a line. It quotes neither text nor values.
type LineError struct {
	Number int // line number, from 1
	Err    error
}

// Error returns "line 7: …".
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

// ReadLines yields the documents of r. An invalid line yields a [*LineError], and reading
// continues; any other error is the last. Blank lines are skipped.
func ReadLines(r io.Reader) iter.Seq2[Line, error] {
	return eachLine(r, func(number int, raw []byte, err error) (Line, error) {
		var line Line
		if err == nil {
			line, err = ParseLine(raw)
		}
		line.Number = number
		return line, err
	})
}

// eachLine yields the result of parse for each line of r that is not blank. parse gets [errLong]
// for a line that was too long; an error that it returns is yielded as a [*LineError], and reading
// continues.
func eachLine[T any](r io.Reader, parse func(number int, raw []byte, err error) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		for number := 1; ; number++ {
			raw, err := readLine(in)
			if err != nil && !errors.Is(err, errLong) {
				if !errors.Is(err, io.EOF) {
					var none T
					yield(none, err)
				}
				return
			}
			if err == nil && len(bytes.TrimSpace(raw)) == 0 {
				continue
			}
			doc, err := parse(number, raw, err)
			if err != nil {
				err = &LineError{Number: number, Err: err}
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

var (
	errLong = fmt.Errorf("longer than %d MiB", MaxLine>>20)
	errUTF8 = errors.New("not valid UTF-8")
	errText = errors.New(`no "text"`)
)

// readLine reads a line without its end. A line over MaxLine is skipped and reported as errLong.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (len(line) == 0 && !long || !errors.Is(err, io.EOF)):
			return nil, err
		case long:
			return nil, errLong
		}
		return line, nil
	}
}

// ParseLine parses one document. Its errors name missing fields, fields of the wrong kind and
// unknown roles; they quote no value.
func ParseLine(raw []byte) (Line, error) {
	if !utf8.Valid(raw) {
		return Line{}, errUTF8
	}
	var fields struct {
		ID        json.RawMessage `json:"id"`
		PatientID json.RawMessage `json:"patient_id"`
		Author    json.RawMessage `json:"author"`
		Text      *string         `json:"text"`
		Format    string          `json:"format"`
		Encoding  string          `json:"encoding"`
		Patient   json.RawMessage `json:"patient"`
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return Line{}, JSONError(err)
	}
	line := Line{ID: fields.ID, Format: fields.Format, Encoding: fields.Encoding}
	if fields.Text == nil {
		return line, errText
	}
	line.Text = *fields.Text
	if err := text.Check(line.Text); err != nil {
		return line, err
	}
	var err error
	if line.PatientID, err = keyText("patient_id", fields.PatientID); err != nil {
		return line, err
	}
	if line.Author, err = keyText("author", fields.Author); err != nil {
		return line, err
	}
	if len(fields.Patient) > 0 && string(fields.Patient) != "null" {
		if err := line.Patient.UnmarshalJSON(fields.Patient); err != nil {
			return line, err
		}
	}
	return line, nil
}

// keyText returns the text of a key that is a string or a number.
func keyText(field string, raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err == nil {
		return s, nil
	}
	if c := raw[0]; c == '{' || c == '[' || c == 't' || c == 'f' {
		return "", fmt.Errorf("%q is neither a string nor a number", field)
	}
	return string(raw), nil
}
