package main

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// sources reads the files of one folder, gzipped or not.
type sources struct{ dir string }

func (s sources) open(name string) (io.ReadCloser, error) {
	f, err := os.Open(filepath.Join(s.dir, filepath.Clean(name)))
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return f, err
	}
	zr, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{zr, f}, nil
}

// lines calls do for each line that is not empty.
func (s sources) lines(name string, do func(line string)) error {
	f, err := s.open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		if line := strings.TrimSpace(sc.Text()); line != "" {
			do(line)
		}
	}
	return sc.Err()
}

// rows calls do for each record of a CSV file without a header.
func (s sources) rows(name string, do func(row []string)) error {
	f, err := s.open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = -1, true, true
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		do(row)
	}
}

// records calls do for each record of a CSV file with a header; get returns a
// field by its column's name.
func (s sources) records(name string, do func(get func(column string) string)) error {
	var columns map[string]int
	return s.rows(name, func(row []string) {
		if columns == nil {
			columns = map[string]int{}
			for i, c := range row {
				columns[strings.TrimPrefix(c, "\ufeff")] = i
			}
			return
		}
		do(func(column string) string {
			if i, ok := columns[column]; ok && i < len(row) {
				return row[i]
			}
			return ""
		})
	})
}

// field calls do with one text field of each object of a JSON Lines file.
func (s sources) field(name, field string, do func(text string)) error {
	var bad error
	err := s.lines(name, func(line string) {
		var obj map[string]any
		if err := json.Unmarshal([]byte(line), &obj); err != nil {
			bad = err
			return
		}
		if text, ok := obj[field].(string); ok {
			do(text)
		}
	})
	return errors.Join(err, bad)
}
