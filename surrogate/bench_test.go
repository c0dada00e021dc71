package surrogate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// benchNote is a note of about 3 KB with 30 spans.
func benchNote(b *testing.B) (string, []phi.Span) {
	b.Helper()
	filler := strings.Repeat("The abdomen was soft and the lungs were clear on both sides. ", 12)
	return marked(b, dischargeLetter+"\n"+filler+strings.Replace(dischargeLetter, "12 Orchard Lane", "77 Sycamore Road", 1)+"\n"+filler)
}

func BenchmarkReplace(b *testing.B) {
	text, spans := benchNote(b)
	m, who := testMaker(b, Options{}), record.NewGazetteer(johnSmith())
	b.Run("known", func(b *testing.B) {
		book := m.Patient("p", who, nil, -100)
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := book.Replace(text, spans); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(spans)), "spans/op")
	})
	b.Run("no leak check", func(b *testing.B) {
		book := m.Patient("p", nil, nil, -100)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := book.Replace(text, spans); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("new patient", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, err := m.Patient(fmt.Sprint(i), who, nil, 0).Replace(text, spans); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPseudonymInt(b *testing.B) {
	k := testKey(b)
	for i := int64(0); b.Loop(); i++ {
		k.PseudonymInt("patient", i)
	}
}
