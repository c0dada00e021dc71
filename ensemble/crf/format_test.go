package crf

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// tinyModel has a few weights.
func tinyModel(t testing.TB) *Model {
	t.Helper()
	l := tinyLabels(t)
	entries := []entry{{codeOf(0, 1, l.size()), 640}, {codeOf(1, 3, l.size()), -3}, {codeOf(-4, 0, l.size()), 5}}
	table := newTable(2, entries)
	table.add(stored(features.KeyOf(features.Lower, "moss")), 0, 1)
	table.add(stored(features.KeyOf(features.Form, "Xx")), 1, 2)
	c := newChain(l)
	c.moves[1] = -1.5
	config := Config{ModelType: ModelType, Features: features.Version, Types: l.names, Templates: []string{"lower", "form -4 1"}}
	m, err := newModel("tiny", config, table, 2, c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestEncodeParse(t *testing.T) {
	m := tinyModel(t)
	data := m.Encode()
	again, err := parse("again", m.config, data)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.Encode(), data) {
		t.Error("read and written again, the file is another one")
	}
	if keys, weights := again.Size(); keys != 2 || weights != 3 {
		t.Errorf("%d keys, %d weights", keys, weights)
	}
	if got := again.table.find(stored(features.KeyOf(features.Lower, "moss"))); len(got) != 1 || got[0].weight != 640 {
		t.Errorf("entries %v", got)
	}
	if got := again.table.find(stored(features.KeyOf(features.Lower, "oak"))); got != nil {
		t.Errorf("entries of an unknown key: %v", got)
	}
}

func TestParseRefuses(t *testing.T) {
	m := tinyModel(t)
	data := m.Encode()
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 0x11
		if _, err := parse("bad", m.config, bad); err == nil {
			t.Errorf("byte %d changed: no error", i)
		}
		if _, err := parse("bad", m.config, data[:i]); err == nil {
			t.Errorf("cut at %d: no error", i)
		}
		cut := signed(slices.Clone(data[:i]))
		if _, err := parse("bad", m.config, cut); err == nil && i != len(data)-4 {
			t.Errorf("cut at %d and summed anew: no error", i)
		}
	}
	if _, err := parse("bad", m.config, signed(append(slices.Clone(data[:len(data)-4]), 0))); err == nil {
		t.Error("a byte too many: no error")
	}
	config := m.config
	config.Types = []string{"NAME"}
	if _, err := parse("bad", config, data); err == nil {
		t.Error("other types: no error")
	}
}

// signed appends the checksum.
func signed(data []byte) []byte {
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli))
}

func TestLoadRefuses(t *testing.T) {
	files, err := tinyModel(t).Files()
	if err != nil {
		t.Fatal(err)
	}
	folder, sums := folderOf(files)
	if _, err := Load("tiny", folder, sums); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{ConfigFile, WeightsFile} {
		folder, sums := folderOf(files)
		delete(sums, name)
		if _, err := Load("tiny", folder, sums); err == nil {
			t.Errorf("%s without a sum: no error", name)
		}
		folder, sums = folderOf(files)
		folder[name] = &fstest.MapFile{Data: append(slices.Clone(files[name]), ' ')}
		if _, err := Load("tiny", folder, sums); err == nil {
			t.Errorf("%s is another one: no error", name)
		}
		delete(folder, name)
		if _, err := Load("tiny", folder, sums); err == nil {
			t.Errorf("%s is missing: no error", name)
		}
	}
	for _, config := range []string{"", "{}", `{"model_type":"pgdeid-crf"}`, `{"model_type":"pgdeid-crf","features":99}`} {
		if _, err := parseConfig([]byte(config)); err == nil {
			t.Errorf("config %s: no error", config)
		}
	}
}

func FuzzParse(f *testing.F) {
	m := tinyModel(f)
	data := m.Encode()
	f.Add(data[len(magic)+4 : len(data)-4])
	f.Add([]byte{5, 1, 1})
	f.Fuzz(func(t *testing.T, body []byte) {
		file := binary.LittleEndian.AppendUint32([]byte(magic), version)
		got, err := parse("fuzzed", m.config, signed(append(file, body...)))
		if err != nil {
			return
		}
		again, err := parse("again", m.config, got.Encode())
		if err != nil || again.keys != got.keys || len(again.table.entries) != len(got.table.entries) {
			t.Fatalf("what was read can't be written and read again: %v", err)
		}
		var s scorer
		s.score(got, make([]features.Row, 3))
	})
}
