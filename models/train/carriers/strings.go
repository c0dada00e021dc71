package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// labelledString is a string of words with labels, such as an address.
type labelledString struct {
	words, labels []string
}

// readStrings reads a file of strings whose words are in elements named for their
// labels: <Name><GivenName>Ann</GivenName> <Surname>Moss</Surname></Name>.
func readStrings(data folder, name, element string) ([]labelledString, error) {
	in, err := data.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	dec := xml.NewDecoder(in)
	var out []labelledString
	label := ""
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("data: %s: %w", name, err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if label = tok.Name.Local; label == element {
				out = append(out, labelledString{})
			}
		case xml.EndElement:
			label = ""
		case xml.CharData:
			if word := strings.TrimSpace(string(tok)); word != "" && label != "" && label != element && len(out) > 0 {
				s := &out[len(out)-1]
				s.words, s.labels = append(s.words, word), append(s.labels, label)
			}
		}
	}
}

// stringTag maps labels of addresses and names to tags; "" is no PHI, and a label
// that is missing is unknown.
func stringTag(label string) string {
	switch {
	case strings.HasPrefix(label, "Street"), strings.HasPrefix(label, "AddressNumber"), strings.HasPrefix(label, "Occupancy"),
		strings.HasPrefix(label, "USPSBox"), strings.HasPrefix(label, "Subaddress"):
		return "STREET"
	case strings.HasPrefix(label, "Corporation"), label == "ShortForm":
		return "ORG"
	}
	switch label {
	case "PlaceName":
		return "CITY"
	case "StateName":
		return "STATE"
	case "ZipCode", "ZipPlus4":
		return "ZIP"
	case "CountryName":
		return "COUNTRY"
	case "GivenName", "Surname", "MiddleName", "MiddleInitial", "FirstInitial", "LastInitial", "Nickname", "SuffixGenerational":
		return "NAME"
	case "PrefixMarital", "PrefixOther", "SuffixOther", "And", "NotAddress", "IntersectionSeparator", "CornerOf":
		return ""
	}
	return unknown
}

// text joins a string's words, behind a text that leads to them, and marks them:
// neighbours of one tag are one mark, without the punctuation at its end.
func (l labelledString) text(before, after string) (string, []mark) {
	var b strings.Builder
	b.WriteString(before)
	var marks []mark
	last := ""
	for i, word := range l.words {
		if i > 0 {
			b.WriteByte(' ')
		}
		tag := stringTag(l.labels[i])
		start, end := b.Len(), b.Len()+len(strings.TrimRight(word, ",;:"))
		b.WriteString(word)
		switch {
		case end == start:
		case tag != "" && tag == last:
			marks[len(marks)-1].end = end
		case tag != "":
			marks = append(marks, mark{start, end, tag})
		}
		last = tag
	}
	b.WriteString(after)
	return b.String(), marks
}

// The texts that lead to addresses, people and firms, and what follows.
var (
	addressFrames = [][2]string{
		{"", ""},
		{"", ""},
		{"Address: ", ""},
		{"ADDRESS:\n", ""},
		{"Lives at ", "."},
		{"Home: ", ""},
		{"Pt resides at ", "."},
		{"Send records to ", "."},
		{"Mailing address: ", ""},
		{"She lives at ", " with her son."},
		{"EMS was called to ", "."},
		{"Return to: ", ""},
		{"Found down at ", "."},
		{"moved to ", " last month"},
		{"Location: ", ""},
	}
	personFrames = [][2]string{
		{"", ""},
		{"", ""},
		{"Patient: ", ""},
		{"Name: ", ""},
		{"Contact: ", ""},
		{"Seen by ", "."},
		{"Discussed with ", "."},
		{"PCP: ", ""},
		{"cc: ", ""},
		{"Informant: ", ""},
		{"Attending: ", ""},
		{"spoke to ", " today"},
		{"Next of kin: ", ""},
		{"Signed by ", ""},
		{"Accompanied by ", "."},
		{"- ", ""},
		{"Reviewed by ", " and faxed."},
	}
	firmFrames = [][2]string{
		{"", ""},
		{"Employer: ", ""},
		{"Works for ", "."},
		{"He is employed at ", "."},
		{"Insurance: ", ""},
		{"Retired from ", " after many years."},
		{"Exposed to solvents at ", "."},
		{"paperwork for ", ""},
	}
)

// framed is a family of labelled strings with its frames and the classes it covers.
type framed struct {
	strings []labelledString
	frames  [][2]string
	covers  []string
}

// loadStrings reads labelled addresses, people and firms.
func loadStrings(data folder) ([]framed, error) {
	var addresses []labelledString
	for _, name := range []string{
		"labeled", "multi_word_state_addresses", "us50_messiest_manual_label", "us50_train_tagged",
		"test_us50_test_tagged", "test_labeled",
	} {
		more, err := readStrings(data, "usaddress/"+name+".xml", "AddressString")
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, more...)
	}
	people, err := readStrings(data, "probablepeople/person_labeled.xml", "Name")
	if err != nil {
		return nil, err
	}
	firms, err := readStrings(data, "probablepeople/company_labeled.xml", "Name")
	if err != nil {
		return nil, err
	}
	return []framed{
		{addresses, addressFrames, []string{"LOCATION", "NAME"}},
		{people, personFrames, coarseClasses},
		{firms, firmFrames, []string{"ORG"}},
	}, nil
}

// labelledStrings is a source of labelled strings in frames.
func labelledStrings(rng *rand.Rand, families []framed) func() ([]sentence, error) {
	return func() ([]sentence, error) {
		f := families[rng.IntN(len(families))]
		frame := f.frames[rng.IntN(len(f.frames))]
		text, marks := f.strings[rng.IntN(len(f.strings))].text(frame[0], frame[1])
		switch n := rng.IntN(100); { // none of ASCII changes its length
		case n < 6 && isASCII(text):
			text = strings.ToUpper(text)
		case n < 12 && isASCII(text):
			text = strings.ToLower(text)
		}
		return cut("labelled", text, marks, f.covers), nil
	}
}

func isASCII(s string) bool { return !strings.ContainsFunc(s, func(r rune) bool { return r > 126 }) }
