package corpus

import (
	"strings"
	"testing"
)

func TestReadI2B2CountsCodePointsAfterTheParser(t *testing.T) {
	raw := "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\r\n<deIdi2b2>\r\n<TEXT><![CDATA[\r\n\r\n😀 Zoë saw]]> &amp; Dr. " +
		"O&#39;Neil</TEXT>\n<TAGS>\n" +
		`<NAME id="P0" start="4" end="7" text="Zoë" TYPE="PATIENT" comment=""/>` +
		`<NAME id="P1" start="18" end="24" text="O'Neil" TYPE="DOCTOR" comment=""/>` +
		`<LOCATION id="P2" start="0" end="3" text="&#10; 😀" TYPE="OTHER"/>` +
		`<CONTACT id="P3" start="8" end="11" text="saw" TYPE="PHONE"></CONTACT>` + "</TAGS>\n</deIdi2b2>\n"
	doc, err := ReadI2B2(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if doc.Text != "\n\n😀 Zoë saw & Dr. O'Neil" {
		t.Errorf("text %q", doc.Text)
	}
	var got []string
	for _, m := range doc.Marks {
		got = append(got, m.Label+"="+doc.Text[m.Start:m.End])
	}
	if s := strings.Join(got, "|"); s != "LOCATION-OTHER=\n\n😀|PATIENT=Zoë|PHONE=saw|DOCTOR=O'Neil" {
		t.Errorf("marks %q", s)
	}
	if !doc.Marks[1].Exact || doc.Marks[2].Exact {
		t.Error("PATIENT is exact, PHONE (which pagers have too) is not")
	}
}

func TestReadI2B2Errors(t *testing.T) {
	tag := func(attrs string) string {
		return "<deIdi2b2><TEXT><![CDATA[Seen by Ann Moss]]></TEXT>\n<TAGS><NAME " + attrs + "/></TAGS></deIdi2b2>"
	}
	for name, tt := range map[string]struct{ xml, want string }{
		"other text": {
			tag(`id="P7" start="8" end="16" text="Bob Moss" TYPE="DOCTOR"`),
			`tag P7: its text differs from the text at its offsets`,
		},
		"range":          {tag(`id="P7" start="8" end="17" text="Ann Moss" TYPE="DOCTOR"`), `tag P7: [8,17)`},
		"empty range":    {tag(`id="P7" start="8" end="8" text="" TYPE="DOCTOR"`), `tag P7: [8,8)`},
		"no number":      {tag(`id="P7" start="Moss" end="9" TYPE="DOCTOR"`), `tag P7: start is not a number`},
		"no end":         {tag(`id="P7" start="3" TYPE="DOCTOR"`), "end is not a number"},
		"no type":        {tag(`id="P7" start="3" end="4"`), "no TYPE"},
		"odd id":         {tag(`id="Ann Moss" start="3" end="4"`), "tag (8 bytes that are no word)"},
		"no text":        {"<a><TAGS/></a>", "no TEXT"},
		"two texts":      {"<a><TEXT>Moss</TEXT><TEXT/></a>", "second TEXT"},
		"markup":         {"<a>\n<TEXT>x <Moss>y</Moss></TEXT></a>", "line 2: an element within TEXT"},
		"cut off":        {"<a><TEXT>Moss", "not well-formed"},
		"empty":          {"", "ends too early"},
		"entity":         {"<a><TEXT>&Moss;</TEXT></a>", "line 1: not well-formed"},
		"crossed":        {"<a><TEXT></Moss></a>", "not well-formed"},
		"NUL":            {"<a><TEXT>Mo\x00ss</TEXT></a>", "not well-formed"},
		"bytes":          {"<a><TEXT>Mo\xffss</TEXT></a>", "not well-formed"},
		"encoding":       {`<?xml version="1.0" encoding="EBCDIC-Moss"?><a><TEXT/></a>`, "convert it to UTF-8"},
		"more after it":  {oneI2B2 + "<Moss/>", "something follows"},
		"text after it":  {oneI2B2 + "Moss", "something follows"},
		"broken tail":    {oneI2B2 + "<Moss", "not well-formed"},
		"a second root ": {oneI2B2 + oneI2B2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadI2B2(strings.NewReader(tt.xml))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "Moss") {
				t.Errorf("the error quotes the file: %v", err)
			}
		})
	}
}

func TestReadI2B2Inline(t *testing.T) {
	raw := "<ROOT>\n<RECORD ID=\"1\"><TEXT>\nDr. <PHI TYPE=\"DOCTOR\">Ann &amp; Moss</PHI>,<PHI TYPE=\"DATE\">3/5</PHI><PHI " +
		"TYPE=\"ID\"></PHI></TEXT></RECORD>\n" +
		"<RECORD ID=\"2\"><CLASS/><TEXT>none</TEXT></RECORD>\n</ROOT>\n"
	var docs []Annotated
	for doc, err := range ReadI2B2Inline(strings.NewReader(raw)) {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
	if len(docs) != 2 || docs[0].Text != "\nDr. Ann & Moss,3/5" || docs[1].Text != "none" || docs[1].ID != "2" {
		t.Fatalf("%d documents", len(docs))
	}
	if m := docs[0].Marks; len(m) != 2 || docs[0].Text[m[0].Start:m[0].End] != "Ann & Moss" || m[1].Label != "DATE" ||
		m[1].End != len(docs[0].Text) {
		t.Errorf("marks %+v", m)
	}
}

func TestReadI2B2InlineErrors(t *testing.T) {
	for raw, want := range map[string]string{
		"<ROOT><RECORD><TEXT>a<PHI>Moss</PHI></TEXT></RECORD></ROOT>":                             "not PHI with a TYPE",
		"<ROOT><RECORD><TEXT>a<Moss TYPE='ID'/></TEXT></RECORD></ROOT>":                           "not PHI with a TYPE",
		"<ROOT>\n\n<RECORD><TEXT><PHI TYPE='ID'><PHI TYPE='ID'/></PHI></TEXT></RECORD></ROOT>":    "line 3: an element within PHI",
		"<ROOT><RECORD></RECORD></ROOT>":                                                          "a RECORD without TEXT",
		"<ROOT><Moss/></ROOT>":                                                                    "want a RECORD",
		"<ROOT><RECORD><TEXT>Moss":                                                                "not well-formed",
		"<ROOT><RECORD><TEXT>a</TEXT><TEXT>b</TEXT></RECORD></ROOT>":                              "second TEXT",
		"<ROOT><RECORD ID='1'><TEXT>a</TEXT></RECORD></ROOT><ROOT/>":                              "something follows",
		"<ROOT><RECORD ID='1'><TEXT>a</TEXT></RECORD><RECORD ID='2'><TEXT>Mo&ss;</TEXT></RECORD>": "not well-formed",
	} {
		var last error
		for _, err := range ReadI2B2Inline(strings.NewReader(raw)) {
			if last != nil {
				t.Errorf("%s: it went on after an error", raw)
			}
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), want) || strings.Contains(last.Error(), "Moss") {
			t.Errorf("%s: error %v, want %q", raw, last, want)
		}
	}
}

func TestLatin1(t *testing.T) {
	raw := `<?xml version="1.0" encoding="ISO-8859-1"?><ROOT><RECORD ID="1"><TEXT>Zo` + "\xeb <PHI TYPE=\"DOCTOR\">Ru\xdf</PHI>" +
		`</TEXT></RECORD></ROOT>`
	for doc, err := range ReadI2B2Inline(strings.NewReader(raw)) {
		if err != nil || doc.Text != "Zoë Ruß" || doc.Marks[0].Start != 5 {
			t.Errorf("%q %+v %v", doc.Text, doc.Marks, err)
		}
	}
}

func TestFormatI2B2(t *testing.T) {
	doc := Annotated{Text: "a\rb]]>", Marks: []Mark{
		{0, 1, "IDNUM", true},
		{2, 3, "ROOM", false},
		{1, 2, "TIME", true},
		{3, 4, "LOCATION", false},
	}}
	raw, err := FormatI2B2(doc, BuiltinLabels())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<ID id="P0" start="0" end="1" text="a" TYPE="IDNUM" comment="" />`, `<PHI id="P1"`, `<PHI id="P2"`,
		`<LOCATION id="P3" start="3" end="4"`,
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s", want)
		}
	}
	for text, want := range map[string]string{"a\x0cb": "byte 1 of the text", "a\x00": "NUL", "\xff": "UTF-8", "\ufffe": "U+FFFE"} {
		if _, err := FormatI2B2(Annotated{Text: text}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := FormatI2B2(Annotated{Text: "a", Marks: []Mark{{0, 1, "WHO", false}}}, BuiltinLabels()); err == nil ||
		!strings.Contains(err.Error(), "WHO") {
		t.Errorf("error %v", err)
	}
}

func FuzzI2B2RoundTrip(f *testing.F) {
	f.Add("a]]>\r\n😀&<", uint(0), uint(3))
	f.Fuzz(func(t *testing.T, text string, start, end uint) {
		at := byteOffsets(text)
		doc := Annotated{Text: text}
		if m, err := pointsToBytes(at, int(start%uint(len(at))), int(end%uint(len(at)))); err == nil {
			m.Label, m.Exact = "DOCTOR", true
			doc.Marks = []Mark{m}
		}
		raw, err := FormatI2B2(doc, BuiltinLabels())
		if err != nil {
			return
		}
		back, err := ReadI2B2(strings.NewReader(string(raw)))
		if err != nil || back.Text != doc.Text || len(back.Marks) != len(doc.Marks) || len(doc.Marks) == 1 && back.Marks[0] != doc.Marks[0] {
			t.Fatalf("not given back: %v", err)
		}
	})
}
