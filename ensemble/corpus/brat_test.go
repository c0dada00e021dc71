package corpus

import (
	"strings"
	"testing"
)

func TestParseBRAT(t *testing.T) {
	text := "😀 Ann\r\nMoss and Bob Lee"
	ann := "T1\tPATIENT 2 5;7 11\tAnn Moss\r\n" + "T2\tDOCTOR 16 23\tBob Lee\n\n" + "R1\tKin Arg1:T1 Arg2:T2\n#1\tAnnotatorNotes T1\tsure?\n" +
		"#2\tNormalization T1\tx\nA1\tNegated T1\n*\tEquiv T1 T2\n" + "T3\tPATIENT 2 11\tAnn Moss\n"
	doc, err := ParseBRAT(text, ann)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range doc.Marks {
		got = append(got, m.Label+"="+text[m.Start:m.End])
	}
	if s := strings.Join(got, "|"); s != "PATIENT=Ann\r\nMoss|PATIENT=Ann|PATIENT=Moss|DOCTOR=Bob Lee" {
		t.Errorf("marks %q", s)
	}
	if doc.PassedOver != 4 {
		t.Errorf("%d passed over", doc.PassedOver)
	}
}

func TestParseBRATErrors(t *testing.T) {
	for ann, want := range map[string]string{
		"T1\tPATIENT 0 3\tAnn\nT2\tPATIENT 0 3\tMoss\n": "line 2: its text differs",
		"T1\tPATIENT 0 9\tAnn":                          "line 1: [0,9)",
		"T1\tPATIENT 0\tAnn":                            "not two numbers",
		"T1\tPATIENT Ann 3\tAnn":                        "not two numbers",
		"T1\tPATIENT 0 1;;2 3\tAnn":                     "not two numbers",
		"T1 PATIENT 0 3 Ann":                            "want an id, such",
		"T1\t":                                          "want a label",
		"Ann Moss":                                      "want an id, such",
		" Ann":                                          "want an id, such",
		"T1\tA\x00B 0 1":                                "the annotation: ",
		"T1\tPATIENT -1 2\tAn":                          "[-1,2)",
	} {
		_, err := ParseBRAT("Ann", ann)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Ann") || strings.Contains(err.Error(), "Moss") {
			t.Errorf("%q: error %v, want %q", ann, err, want)
		}
	}
	if _, err := ParseBRAT("\xff", ""); err == nil || !strings.Contains(err.Error(), "the text: ") {
		t.Errorf("error %v", err)
	}
}

func TestFormatBRATRefusesLabelsWithBlanks(t *testing.T) {
	for _, label := range []string{"", "A B", "A\tB", "A\n"} {
		if _, err := FormatBRAT(Annotated{Text: "a", Marks: []Mark{{0, 1, label, false}}}); err == nil {
			t.Errorf("%q was taken", label)
		}
	}
}

func FuzzParseBRAT(f *testing.F) {
	f.Add("Ann Moss", "T1\tPATIENT 0 3;4 8\tAnn Moss\n")
	f.Add("😀\r\nx", "T1\tA 0 4\t😀 x\nR1\tx\n#1\tAnnotatorNotes T1\tx")
	f.Fuzz(func(t *testing.T, text, ann string) {
		doc, err := ParseBRAT(text, ann)
		if err != nil {
			return
		}
		checkSound(t, doc)
		raw, err := FormatBRAT(doc)
		if err != nil {
			return
		}
		back, err := ParseBRAT(text, string(raw))
		if err != nil || len(back.Marks) != len(doc.Marks) {
			t.Fatalf("not given back: %v", err)
		}
		for i, m := range back.Marks {
			if m != doc.Marks[i] {
				t.Fatalf("mark %d is %+v, was %+v", i, m, doc.Marks[i])
			}
		}
	})
}
