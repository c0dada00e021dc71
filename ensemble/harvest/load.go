package harvest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

// Load reads verified entries from a file: a list, or proposals with the verdicts stored next to
// them. refused are the IDs of refused proposals.
func Load(path string) (verified List, refused []string, err error) {
	format, err := formatOf(path)
	if err != nil {
		return nil, nil, err
	}
	if format == listFormat {
		verified, err = ReadList(path)
		return verified, nil, err
	}
	list, err := ReadProposals(path)
	if err != nil {
		return nil, nil, err
	}
	verdicts, err := ReadVerdicts(path)
	if err != nil {
		return nil, nil, err
	}
	verified, refused = Judged(list, verdicts)
	return verified, refused, nil
}

// formatOf returns the format of a file by its first line.
func formatOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	line, err := bufio.NewReader(io.LimitReader(file, 4<<10)).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	for _, format := range []string{listFormat, proposalFormat} {
		if bytes.Contains(line, []byte(`"format":"`+format+`"`)) {
			return format, nil
		}
	}
	return "", fmt.Errorf("%s: neither proposals nor a list of what was verified", path)
}

// With returns the list with entries added and others, by ID, removed. Of duplicates, the list's
// own entry stays.
func (l List) With(add List, refused []string) List {
	left := slices.DeleteFunc(slices.Clone(l), func(v Verified) bool { return slices.Contains(refused, v.ID()) })
	return NewList(append(left, add...))
}

// ReadListIfAny is [ReadList], except that a missing file gives an empty list.
func ReadListIfAny(path string) (List, error) {
	list, err := ReadList(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}
