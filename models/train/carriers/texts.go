package main

import (
	"context"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
)

// loadDialogues reads the sections and dialogues of mts-dialog. A section that
// is in a held-out note of mtsamples is held out with its dialogue.
func loadDialogues(data folder, heldOutNotes []string) (map[part][]string, error) {
	var held strings.Builder
	for _, note := range heldOutNotes {
		held.WriteString(letters(note, 1<<20))
		held.WriteByte(' ')
	}
	aside := held.String()
	out := map[part][]string{}
	for _, name := range []string{"TrainingSet", "ValidationSet", "TestSet-1-MEDIQA-Chat-2023", "TestSet-2-MEDIQA-Sum-2023"} {
		err := data.readCSV("mts-dialog/MTS-Dialog-"+name+".csv", func(column func(string) string) {
			section, side := column("section_text"), training
			if strings.Contains(aside, letters(section, 50)) {
				side = heldOut
			}
			for _, text := range []string{section, column("dialogue")} {
				if len(text) > 20 {
					out[side] = append(out[side], strings.ReplaceAll(text, "\r", ""))
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// loadVisits reads the notes and dialogues of aci-bench, which is held out whole.
func loadVisits(data folder) ([]string, error) {
	var out []string
	for _, name := range []string{"train", "valid", "clinicalnlp_taskB_test1"} {
		err := data.readCSV("aci-bench/"+name+".csv", func(column func(string) string) {
			for _, text := range []string{column("note"), column("dialogue")} {
				if text != "" {
					out = append(out, strings.ReplaceAll(text, "\r", ""))
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// document is a structured document of ccda-samples.
type document struct {
	Header struct {
		Patient  string   `json:"patient"`
		Guardian string   `json:"guardian"`
		Persons  []string `json:"persons"`
	} `json:"header"`
	Narrative string `json:"narrative"`
}

// narrative is a document's text with the people that its header names.
type narrative struct {
	text  string
	names []string
}

// mostNarrative is how much is taken of a document: they are long tables, much alike.
const mostNarrative = 5000

// loadNarratives reads the texts of ccda-samples.
func loadNarratives(data folder) ([]narrative, error) {
	var out []narrative
	for _, file := range []string{"sample_ccdas", "hl7_ccda_examples"} {
		documents, err := readJSON[document](data, "ccda-samples/"+file+".jsonl.gz")
		if err != nil {
			return nil, err
		}
		for i, d := range documents {
			if i%3 != 0 && file == "sample_ccdas" {
				continue
			}
			n := narrative{text: d.Narrative}
			if len(n.text) > mostNarrative {
				end := strings.LastIndexByte(n.text[:mostNarrative], '\n')
				n.text = n.text[:max(end, 0)]
			}
			for _, name := range append([]string{d.Header.Patient, d.Header.Guardian}, d.Header.Persons...) {
				if strings.Contains(name, " ") && len(name) > 5 {
					n.names = append(n.names, name)
				}
			}
			slices.SortFunc(n.names, func(a, b string) int { return len(b) - len(a) })
			if len(n.text) > 100 {
				out = append(out, n)
			}
		}
	}
	return out, nil
}

// answer is a record of medquad.
type answer struct {
	Text string `json:"text"`
}

// readAnswers reads every n-th answer of medquad.
func readAnswers(data folder, n int) ([]string, error) {
	records, err := readJSON[answer](data, "medquad/medquad.jsonl.gz")
	if err != nil {
		return nil, err
	}
	var out []string
	for i := 0; i < len(records); i += n {
		out = append(out, records[i].Text)
	}
	return out, nil
}

// loadAnswers cuts every n-th answer into sentences. They name organisations, places
// and years that are not marked, and hardly any people: what the rules take for PHI
// counts as unknown.
func loadAnswers(data folder, rules *ensemble.Ensemble, n int) ([]sentence, error) {
	texts, err := readAnswers(data, n)
	if err != nil {
		return nil, err
	}
	var out []sentence
	for _, text := range texts {
		spans, err := rules.Detect(context.Background(), &ensemble.Note{Text: text})
		if err != nil {
			return nil, err
		}
		marks := make([]mark, len(spans))
		for i, s := range spans {
			marks[i] = mark{s.Start, s.End, unknown}
		}
		out = append(out, cut("medquad", text, marks, []string{"NAME", "ID", "PROFESSION"})...)
	}
	return out, nil
}
