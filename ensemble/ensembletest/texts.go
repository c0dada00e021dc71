package ensembletest

import "strings"

// Text is a text that detectors must survive.
type Text struct{ Name, Text string }

const note = `ADMISSION DATE: 3/5/2014   MRN: 00481516
Ms. O'Brannock is a 86F seen by Dr. Rose Pain at Quillburg General Hospital.
DOB 10/07/1969. Call 555-010-7788 or zoe@example.org, 500 State Highway 72, Quillburg, NY 00501.
BP 120/80, pain 5/10, takes 5-10 mg daily since March 5th, 2014.
`

// Texts returns texts of all sorts: a note, and what breaks careless offsets.
func Texts() []Text {
	return []Text{
		{"empty", ""},
		{"blank", " \t\r\n\u00a0\u2028\ufeff"},
		{"note", note},
		{"lower case", strings.ToLower(note)},
		{"upper case", strings.ToUpper(note)},
		{"CRLF", strings.ReplaceAll(note, "\n", "\r\n")},
		{"emoji", "😀 Zoë 👩‍⚕️ O’Brannock 🏥 3/5/2014 😀555-010-7788😀"},
		{"combining", "Zoe\u0308 O\u0301'Brannock, jane\u0301.doe@example.org, 3\u0301/5"},
		{"right to left", "المريض محمد ٣/٥/٢٠١٤ \u202b555-010-7788\u202c שלום MRN: 00481516"},
		{"full width", "４１１１ １１１１ １１１１ １１１１ ＤＯＢ：１０／０７／１９６９ ａ＠ｂ．ｃｏｍ"},
		{"joiners", "4111\u200d1111\u200d1111\u200d1111 Long\u200b Zo\u00adë \u200d\u200d1\u200d"},
		{"scripts", "李小龙 12岁 Будимир Łukasz, ασθενής 5/10, ६ जून २०१४"},
		{"only marks", strings.Repeat("@.:-/()'#+<*$%&_", 40)},
		{"only digits", strings.Repeat("1234567890", 300)},
		{"digits and marks", strings.Repeat("1/2-3.4:5(6)7@8 ", 200)},
		{"short words", strings.Repeat("a b c d 1 2 3 ", 200)},
		{"labels without values", "MRN: DOB: SSN: Phone: Fax: Address: Dr. Mr. at @ http:// www. ' '9 # +"},
		{"labels at the end", "MRN"},
		{"a digit at the end", "since 1"},
		{"an at sign at the end", "john@"},
		{"control characters", "Dr.\x01Pain\x02 3/5\x7f/2014\x0b\x0c"},
		{"one long word", strings.Repeat("Long", 5000)},
		{"one long line", strings.Repeat("Dr. Pain saw Zoë O'Brannock on 3/5/2014; ", 300)},
		{"a run of letters and digits", strings.Repeat("1a", 100_000)},
		{"a run of colons", strings.Repeat("a:", 100_000)},
		{"a run of dots", strings.Repeat("at.com@", 30_000)},
		{"a run of dashes", strings.Repeat("1-", 100_000)},
		{"a run of brackets", strings.Repeat(")<", 100_000)},
		{"a run of apostrophes", strings.Repeat("12'", 70_000)},
		{"200 KB", strings.Repeat(note, 200*1024/len(note)+1)},
	}
}
