package main

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// folder is where the open data lie; see the README of models/train.
type folder string

// dataFolder returns the folder of the data: PGDEID_DATA, or what the settings say.
func dataFolder(fallback string) folder {
	if dir := os.Getenv("PGDEID_DATA"); dir != "" {
		return folder(dir)
	}
	return folder(fallback)
}

// open opens a file, unpacked if its name ends in .gz.
func (f folder) open(name string) (io.ReadCloser, error) {
	file, err := os.Open(filepath.Join(string(f), filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("data: %w (PGDEID_DATA names the folder)", err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return file, nil
	}
	packed, err := gzip.NewReader(bufio.NewReaderSize(file, 1<<16))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("data: %s: %w", name, err), file.Close())
	}
	return unpacked{packed, file}, nil
}

type unpacked struct {
	*gzip.Reader
	file io.Closer
}

func (u unpacked) Close() error { return errors.Join(u.Reader.Close(), u.file.Close()) }

// readJSON reads a file of JSON Lines.
func readJSON[T any](f folder, name string) ([]T, error) {
	in, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var out []T
	dec := json.NewDecoder(in)
	for {
		var x T
		switch err := dec.Decode(&x); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("data: %s: record %d: %w", name, len(out)+1, err)
		}
		out = append(out, x)
	}
}

// readCSV reads a file with a header and calls row with a function that returns
// the value of a column, "" if there is none.
func (f folder) readCSV(name string, row func(column func(string) string)) error {
	in, err := f.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	head, err := r.Read()
	if err != nil {
		return fmt.Errorf("data: %s: %w", name, err)
	}
	at := map[string]int{}
	for i, h := range head {
		at[strings.TrimPrefix(h, "\ufeff")] = i
	}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("data: %s: %w", name, err)
		}
		row(func(column string) string {
			if i, ok := at[column]; ok && i < len(fields) {
				return strings.TrimSpace(fields[i])
			}
			return ""
		})
	}
}

// readLines reads a file's lines that are not blank.
func (f folder) readLines(name string) ([]string, error) {
	in, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var out []string
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		if line := strings.TrimSpace(scan.Text()); line != "" {
			out = append(out, line)
		}
	}
	return out, scan.Err()
}
