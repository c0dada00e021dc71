package ensemble_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// benchNote is a made-up note of about 3 KB, with as many identifiers as a
// letter to a colleague has.
var benchNote = strings.Repeat(`ADMISSION DATE: 03/05/2014    MRN: 00123456    DOB: 10/07/1969
HISTORY OF PRESENT ILLNESS: Mr. Smithson is a 44-year-old male with a long history of hypertension, who was seen by
Dr. Gregory House at Mercy General Hospital for chest pain rated 5/10. Blood pressure was 142/88, pulse 72 and regular,
temperature 98.6. He takes lisinopril 20 mg daily, metoprolol 25 mg p.o. b.i.d. and aspirin 81 mg, and denies any fever,
chills, nausea or vomiting. Since March 2013 he has had two episodes of syncope, the last on 12/29 at 10:30 a.m.
LABS: Sodium 138, potassium 4.1, creatinine 1.0, WBC 7.4, hemoglobin 13.2, platelets 250,000, troponin 0.01.
ASSESSMENT AND PLAN: 1. Chest pain, likely musculoskeletal. 2. Hypertension, at goal. Return in 2 weeks, or call
555.234.5678 with any questions. He lives at 128 Williams Court, Springfield, MA 02139 with his wife Zoe.
`, 4)[:3000]

func benchDetector(b *testing.B, d ensemble.Detector) {
	b.Helper()
	b.SetBytes(int64(len(benchNote)))
	b.ReportAllocs()
	var dst []phi.Span
	for b.Loop() {
		note := &ensemble.Note{Text: benchNote, Patient: will}
		note.View()
		spans, err := d.Detect(b.Context(), note, dst[:0])
		if err != nil || len(spans) == 0 {
			b.Fatalf("%d spans, error %v", len(spans), err)
		}
		dst = spans
	}
}

func BenchmarkPatterns(b *testing.B) { benchDetector(b, ensemble.NewPatterns()) }

func BenchmarkRecord(b *testing.B) { benchDetector(b, ensemble.NewRecord()) }

// A site with 20,000 made-up members of the staff, each with two of 4,000 names.
func BenchmarkDirectory(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	rec := ensemble.Record{}
	names := make([]string, 4000)
	for i := range names {
		names[i] = madeUpName(rng)
	}
	for range 20000 {
		name := names[rng.IntN(len(names))] + " " + names[rng.IntN(len(names))] + ", MD"
		rec[ensemble.ProviderName] = append(rec[ensemble.ProviderName], name)
	}
	rec.Add(ensemble.ProviderName, "Gregory House")
	directory := ensemble.NewGazetteer(rec)
	d := ensemble.NewDirectory()
	b.SetBytes(int64(len(benchNote)))
	for b.Loop() {
		note := &ensemble.Note{Text: benchNote, Directory: directory}
		if spans, err := d.Detect(b.Context(), note, nil); err != nil || len(spans) == 0 {
			b.Fatalf("%d spans, error %v", len(spans), err)
		}
	}
}

func BenchmarkTokenize(b *testing.B) {
	b.SetBytes(int64(len(benchNote)))
	b.ReportAllocs()
	for b.Loop() {
		text.Tokenize(benchNote)
	}
}

func BenchmarkSentences(b *testing.B) {
	b.SetBytes(int64(len(benchNote)))
	for b.Loop() {
		(&ensemble.Note{Text: benchNote}).View().Sentences()
	}
}

func BenchmarkLeaks(b *testing.B) {
	b.SetBytes(int64(len(benchNote)))
	b.ReportAllocs()
	for b.Loop() {
		will.Leaks(benchNote)
	}
}

func BenchmarkNewGazetteer(b *testing.B) {
	rec := will.Record()
	b.ReportAllocs()
	for b.Loop() {
		ensemble.NewGazetteer(rec)
	}
}
