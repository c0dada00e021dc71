// Command gen computes the table that package lexicon embeds from public lists
// and counts. It is run by hand when a source changes:
//
//	go run ./ensemble/lexicon/gen -data DIR -out ensemble/lexicon/table.bin.gz
//
// DIR holds the sources under the names that ensemble/lexicon/README.md gives.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "", "`folder` with the sources")
	out := flag.String("out", "ensemble/lexicon/table.bin.gz", "`file` to write")
	flag.Parse()
	if *data == "" {
		log.Fatal("gen: -data is missing")
	}
	if err := run(*data, *out); err != nil {
		log.Fatal("gen: ", err)
	}
}

func run(dir, out string) error {
	b := newBuilder(sources{dir: dir})
	steps := []struct {
		name string
		do   func() error
	}{
		{"surnames", b.surnames},
		{"first names", b.firstNames},
		{"names of the world", b.worldNames},
		{"groups", b.groups},
		{"texts", b.texts},
		{"clinical words", b.clinical},
		{"places", b.places},
		{"organisations", b.organisations},
		{"occupations", b.occupations},
		{"calendar and nicknames", b.fixed},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	packed, err := b.encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Clean(out), packed, 0o644); err != nil {
		return err
	}
	shapes, err := b.likeness()
	if err != nil {
		return fmt.Errorf("likeness: %w", err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(out), "likeness.bin"), shapes, 0o644); err != nil {
		return err
	}
	b.report(len(packed))
	return nil
}
