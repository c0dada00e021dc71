package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
)

// magic must be that of package lexicon, where the format is described.
const magic = "pgdeidlx2\n"

func (b *builder) encode() ([]byte, error) {
	keys := slices.Sorted(maps.Keys(b.words))
	raw := []byte(magic)
	raw = appendWords(raw, keys)
	raw = b.appendColumns(raw, keys)
	pools := b.pools()
	raw = binary.AppendUvarint(raw, uint64(len(pools)))
	for _, p := range pools {
		raw = appendSection(raw, strings.Join(p, "\n"))
	}
	towns := make([]string, len(b.towns))
	for i, t := range b.towns {
		towns[i] = t.name + "|" + t.state + "|" + t.zip3
	}
	raw = appendSection(raw, strings.Join(towns, "\n"))

	var buf bytes.Buffer
	zw, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := zw.Write(raw); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func appendWords(raw []byte, keys []string) []byte {
	raw = binary.AppendUvarint(raw, uint64(len(keys)))
	var rest strings.Builder
	last := ""
	for _, k := range keys {
		n := 0
		for n < len(k) && n < len(last) && k[n] == last[n] {
			n++
		}
		raw = append(raw, byte(n))
		rest.WriteString(k[n:] + "\n")
		last = k
	}
	return appendSection(raw, rest.String())
}

func (b *builder) appendColumns(raw []byte, keys []string) []byte {
	var columns [8][]byte
	for _, k := range keys {
		e := b.entry(b.words[k])
		for i, v := range [8]uint8{
			e.Surname, e.First, e.Common, e.Capital, e.Female, uint8(e.Group), uint8(e.Flags), uint8(e.Flags >> 8),
		} {
			columns[i] = append(columns[i], v)
		}
	}
	for _, c := range columns {
		raw = append(raw, c...)
	}
	return raw
}

func appendSection(raw []byte, s string) []byte {
	return append(binary.AppendUvarint(raw, uint64(len(s))), s...)
}
