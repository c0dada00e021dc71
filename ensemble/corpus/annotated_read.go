package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Format is a file format of marked documents.
type Format string

// The formats. Auto, for reading, detects the format.
const (
	Auto      Format = ""
	I2B2      Format = "i2b2"      // 2014: an XML file per note, offsets in TAGS
	I2B22006  Format = "i2b2-2006" // an XML file for many notes, PHI elements in the text
	BRAT      Format = "brat"      // standoff: a .txt and a .ann file per note
	JSONLines Format = "jsonl"     // a line per note
)

// ParseFormat returns the format named s, or an error that lists them.
func ParseFormat(s string) (Format, error) {
	switch f := Format(s); f {
	case I2B2, I2B22006, BRAT, JSONLines:
		return f, nil
	}
	return Auto, fmt.Errorf("unknown format %q (known: %s, %s, %s, %s)", s, I2B2, I2B22006, BRAT, JSONLines)
}

// ReadAnnotated yields the marked documents of a file or, recursively and in the order of names,
// of a folder. It detects the format: see [ReadAnnotatedAs].
func ReadAnnotated(path string) iter.Seq2[Annotated, error] { return ReadAnnotatedAs(path, Auto) }

// ReadAnnotatedAs yields the documents of a file or folder in one format, or in any for [Auto]. In
// a folder, files are recognised by extension: .xml; .txt with .ann; .jsonl or .ndjson; also with
// .gz. Others are skipped, but a folder without any document is an error, and so is a .txt without
// .ann if others have one.
//
// A [*DocumentError] concerns one document, and reading continues; any other error is the last.
func ReadAnnotatedAs(path string, format Format) iter.Seq2[Annotated, error] {
	return func(yield func(Annotated, error) bool) {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			yield(Annotated{}, err)
		case info.IsDir():
			readFolder(path, format, yield)
		default:
			readAnnotatedFile(path, documentID(filepath.Base(path)), format, yield)
		}
	}
}

func readFolder(root string, format Format, yield func(Annotated, error) bool) {
	found := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		kind := formatOfName(path)
		if kind == Auto || format != Auto && kind != format && (kind != I2B2 || format != I2B22006) {
			return nil
		}
		if kind == BRAT && strings.HasSuffix(path, ".txt") && !marked(filepath.Dir(path)) {
			return nil // a text among files of other kinds
		}
		if kind == BRAT && strings.HasSuffix(path, ".ann") && exists(strings.TrimSuffix(path, ".ann")+".txt") {
			return nil // comes with its text
		}
		found++
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if !readAnnotatedFile(path, documentID(filepath.ToSlash(rel)), format, yield) {
			return filepath.SkipAll
		}
		return nil
	})
	if err == nil && found == 0 {
		err = fmt.Errorf("%s: no marked documents: want .xml, .txt with .ann, or .jsonl", root)
	}
	if err != nil {
		yield(Annotated{}, err)
	}
}

// formatOfName returns the format by a file's extension; XML is examined later.
func formatOfName(path string) Format {
	switch filepath.Ext(strings.TrimSuffix(path, ".gz")) {
	case ".xml":
		return I2B2
	case ".txt", ".ann":
		return BRAT
	case ".jsonl", ".ndjson":
		return JSONLines
	}
	return Auto
}

// documentID returns the name of a file without its extension.
func documentID(name string) string {
	name = strings.TrimSuffix(name, ".gz")
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// marked reports whether a folder contains a .ann file.
func marked(folder string) bool {
	found, err := filepath.Glob(filepath.Join(escapeGlob(folder), "*.ann"))
	return err == nil && len(found) > 0
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readAnnotatedFile yields the documents of one file and reports whether to continue.
func readAnnotatedFile(path, id string, format Format, yield func(Annotated, error) bool) bool {
	if format == Auto && formatOfName(path) == BRAT || format == BRAT {
		doc, err := readBRAT(path)
		doc.ID = id
		return yield(doc, inFile(path, err))
	}
	file, err := openAnnotated(path)
	if err != nil {
		return yield(Annotated{}, &DocumentError{path, err})
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 64<<10)
	if format == Auto {
		if format, err = lookInto(in); err != nil {
			return yield(Annotated{}, &DocumentError{path, err})
		}
	}
	return readStream(in, path, id, format, yield)
}

// lookInto detects the format by the beginning of the content.
func lookInto(in *bufio.Reader) (Format, error) {
	head, err := in.Peek(in.Size())
	if err != nil && !errors.Is(err, io.EOF) {
		return Auto, err
	}
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	switch {
	case len(start) == 0 || start[0] == '{':
		return JSONLines, nil
	case start[0] == '<':
		return i2b2Kind(bytes.NewReader(head))
	}
	return Auto, fmt.Errorf("neither XML nor JSON Lines, and not named .txt or .ann as %s is", BRAT)
}

func readStream(in io.Reader, path, id string, format Format, yield func(Annotated, error) bool) bool {
	switch format {
	case I2B2:
		doc, err := ReadI2B2(io.LimitReader(in, MaxLine))
		doc.ID = id
		return yield(doc, inFile(path, err))
	case I2B22006:
		return readMany(ReadI2B2Inline(in), path, yield)
	default:
		return readMany(ReadMarkedLines(in), path, yield)
	}
}

func readMany(docs iter.Seq2[Annotated, error], path string, yield func(Annotated, error) bool) bool {
	for doc, err := range docs {
		if !yield(doc, inFile(path, err)) {
			return false
		}
	}
	return true
}

// inFile adds the file name to an error.
func inFile(path string, err error) error {
	if err == nil {
		return nil
	}
	return &DocumentError{path, err}
}

func readBRAT(path string) (Annotated, error) {
	base := strings.TrimSuffix(strings.TrimSuffix(path, ".ann"), ".txt")
	text, err := os.ReadFile(base + ".txt")
	if err != nil {
		return Annotated{}, missing(err, ".txt")
	}
	ann, err := os.ReadFile(base + ".ann")
	if err != nil {
		return Annotated{}, missing(err, ".ann (an empty one says that nothing is marked)")
	}
	return ParseBRAT(string(text), string(ann))
}

func missing(err error, what string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no matching %s", what)
	}
	return err
}

// openAnnotated opens a file, decompressed if its name ends in .gz.
func openAnnotated(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return file, err
	}
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		file.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{unzipped, file}, nil
}
