package harvest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Lines is a [Source] that reads JSON Lines files with one note per line:
// {"text","patient_id","author","patient"?}; see [corpus.ReadLines].
type Lines struct{ paths []string }

// NewLines returns a source that reads files in this order. They are read twice, so standard input
// and compressed files are not supported.
func NewLines(paths []string) (*Lines, error) {
	for _, p := range paths {
		if p == "-" || strings.HasSuffix(p, ".gz") {
			return nil, fmt.Errorf("%s: notes are read twice, and from the middle: want plain files of JSON Lines", p)
		}
	}
	if len(paths) == 0 {
		return nil, errors.New("no files")
	}
	return &Lines{paths}, nil
}

// Identity returns the files with their sizes and modification times.
func (l *Lines) Identity() (string, error) {
	var b strings.Builder
	for _, path := range l.paths {
		info, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%q %d %d\n", abs, info.Size(), info.ModTime().UnixNano())
	}
	return b.String(), nil
}

// Estimate estimates the number of lines from the length of the first ones.
func (l *Lines) Estimate(context.Context) int64 {
	var size int64
	for _, path := range l.paths {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
		}
	}
	file, err := os.Open(l.paths[0])
	if err != nil {
		return 0
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, 1<<20))
	if lines := int64(bytes.Count(head, []byte{'\n'})); err == nil && lines > 0 {
		return size * lines / int64(len(head))
	}
	return 0
}

// A batch ends after this many lines or bytes.
const (
	batchLines = 500
	batchBytes = 4 << 20
)

// position is where a batch begins: at a byte of a file, after a number of lines.
type position struct {
	file   int
	offset int64
	line   int
}

func (p position) String() string { return fmt.Sprintf("%d:%d:%d", p.file, p.offset, p.line) }

func (l *Lines) parse(after string) (p position, err error) {
	if after == "" {
		return p, nil
	}
	parts := strings.Split(after, ":")
	if len(parts) != 3 {
		return p, errState
	}
	file, err1 := strconv.Atoi(parts[0])
	offset, err2 := strconv.ParseInt(parts[1], 10, 64)
	line, err3 := strconv.Atoi(parts[2])
	if errors.Join(err1, err2, err3) != nil || file < 0 || file > len(l.paths) || offset < 0 {
		return p, errState
	}
	return position{file, offset, line}, nil
}

// Read passes the lines on in batches, which are parsed by the goroutine that processes them.
func (l *Lines) Read(ctx context.Context, after string, records bool, do func(Batch) error) error {
	at, err := l.parse(after)
	if err != nil {
		return err
	}
	for ; at.file < len(l.paths); at = (position{file: at.file + 1}) {
		if err := l.readFile(ctx, at, records, do); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lines) readFile(ctx context.Context, at position, records bool, do func(Batch) error) error {
	file, err := os.Open(l.paths[at.file])
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Seek(at.offset, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(file, 1<<20)
	for ctx.Err() == nil {
		b := lines{path: l.paths[at.file], first: at.line + 1, records: records}
		err := b.fill(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w", b.path, err)
		}
		at.offset, at.line = at.offset+int64(len(b.raw)), at.line+b.count
		if b.count > 0 {
			if err := do(Batch{Notes: b.notes, After: at.String()}); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
	return ctx.Err()
}

// lines is the lines of a batch.
type lines struct {
	path    string
	first   int // number of the first line, from 1
	raw     []byte
	count   int
	records bool
}

var errLineLength = fmt.Errorf("a line is longer than %d MiB", corpus.MaxLine>>20)

// fill reads lines including their ends; it returns [io.EOF] with the last ones.
func (b *lines) fill(in *bufio.Reader) error {
	start := 0
	for b.count < batchLines && len(b.raw) < batchBytes {
		part, err := in.ReadSlice('\n')
		b.raw = append(b.raw, part...)
		switch {
		case len(b.raw)-start > corpus.MaxLine:
			return errLineLength
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			if len(b.raw) > start {
				b.count++
			}
			return err
		}
		b.count++
		start = len(b.raw)
	}
	return nil
}

// notes parses the lines. An invalid line is an error, as its sentences would not be searched.
func (b *lines) notes() ([]Note, error) {
	out := make([]Note, 0, b.count)
	number := b.first - 1
	for raw := range bytes.Lines(b.raw) {
		number++
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		line, err := corpus.ParseLine(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.path, &corpus.LineError{Number: number, Err: err})
		}
		n := Note{Texts: []string{line.Text}, Patient: line.PatientID, Author: line.Author}
		if b.records && len(line.Patient) > 0 {
			n.Record = record.NewGazetteer(line.Patient)
		}
		out = append(out, n)
	}
	return out, nil
}
