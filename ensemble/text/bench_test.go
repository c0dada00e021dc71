package text_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func BenchmarkTokenize(b *testing.B) {
	b.SetBytes(int64(len(ensembletest.BenchNote)))
	b.ReportAllocs()
	for b.Loop() {
		text.Tokenize(ensembletest.BenchNote)
	}
}

func BenchmarkSentences(b *testing.B) {
	b.SetBytes(int64(len(ensembletest.BenchNote)))
	for b.Loop() {
		text.NewView(ensembletest.BenchNote).Sentences()
	}
}
