package hl7

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

// format is the format of this package.
var format = documenttest.Format{Name: "hl7v2", Read: Read}

// plantedName is an identifier that no part of a message may keep unless it is in the text.
const plantedName = "ZORVAKIAN"

// head begins messages of the tests.
const head = "MSH|^~\\&|||||||ORU^R01^ORU_R01||P|2.5.1\r"

func TestWhatHL7Shows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want string }{
		{"text", "OBX|1|TX|||Seen by Jane Poe", "Seen by Jane Poe\n"},
		{"formatted text", "OBX|1|FT|||Seen\\.br\\by \\H\\Ja\\N\\ne\\.sp\\\\.sp2\\Poe\\.in+4\\\\.fi\\.", "Seen\nby Jane\n\nPoe.\n"},
		{"text without a type", "OBX|1||||Seen", "Seen\n"},
		{"escapes", "NTE|1||\\F\\\\S\\\\T\\\\R\\\\E\\", "|^&~\\\n"},
		{"bytes", "NTE|1||\\X4A616E65\\ \\X0D0A\\\\X0A\\\\X0D\\\\XC3A9\\\\XE9\\\\X0041\\", "Jane \n\n\nééA\n"},
		{"bytes that show nothing", "NTE|1||a\\X00\\b", "ab\n"},
		{"character sets and escapes of a site", "NTE|1||a\\C2842\\\\M240D\\\\Z0A\\b", "ab\n"},
		{"no escapes", "NTE|1||C:\\temp\\new\\X1\\Xyz\\\\Q\\.br", "C:\\temp\\new\\X1\\Xyz\\\\Q\\.br\n"},
		{"separators of components in text", "NTE|1||H&P a^b", "H&P a^b\n"},
		{"repetitions", "NTE|1||a~b~~c", "a\nb\n\nc\n"},
		{"lines of a report", "OBX|1|TX|1^Report^L||Ja\rOBX|2|TX|1^Report^L||ne\rOBX|3|TX|2^Note^L||x", "Report\tJa\nne\nNote\tx\n"},
		{"names without codes", "OBX|1|TX|Report||a\rOBX|2|TX|^Report^L||b\rOBX|2|TX|^Report^L||c", "Report\ta\nReport\tb\nReport\tc\n"},
		{"numbers with names", "OBX|1|NM|2093-3^Cholesterol^LN||212|mg/dL^milligram^UCUM|<200|H~A|||F", "Cholesterol\t212\tmilligram\t<200\n"},
		{"structured numbers", "OBX|1|SN|||>^100^-^200", "> 100 - 200\n"},
		{"codes", "OBX|1|CWE|||C1^Poe^LN^D1^Zoe^SCT^1^2^original~C2^Lee^HL70001", "Poe Zoe original\nLee\n"},
		{"codes of a site", "OBX|1|CWE|||4711^Poe^L^D1^Zoe^SCT~C2^Lee~C3^~^Ann^HL70^D2^Lea^HL70001", "4711 Poe Zoe\nC2 Lee\nC3\nAnn Lea\n"},
		{"other types", "OBX|1|DT|||19560412\rOBX|2|XPN|||POE^JANE\rOBX|3|ED|||^text^^Base64^SmFuZQ==\rOBX|4|RP|||x\rOBX|5|CX|||1", ""},
		{
			"allergies and diagnoses", "AL1|1|DA^Drug^L|70618^Penicillin^RX|SV|Rash\rDG1|1|I10|I21^Infarct^I10|old infarct|20260101",
			"Drug\tPenicillin\tSV\tRash\nInfarct\told infarct\n",
		},
		{"orders", "OBR|1|P1|F1|24331-1^Lipids^LN|R|1956|1956||||||fever^x|||||||||||LAB|F", "Lipids\tfever^x\n"},
		{"documents", "TXA|1|DS|TX|1956||||||||POE.TXT|||||LA|" + strings.Repeat("|", 7) + "Summary", "Summary\n"},
		{"lines that begin no segment", "OBX|1|TX|||a\nb\n\nZorvakian: c\nABC\nPID 1|x\rNTE|1||d", "a\nb\n\nZorvakian: c\nABC\nPID 1\tx\nd\n"},
		{"control characters", "NTE|1||a\x00b\tc\x7f", "ab\tc\n"},
		{"spaces that do not break, soft hyphens", "NTE|1||Ja\u00adne\u00a0Poe \\XC2A0C2AD\\ \\XC2AD\\", "Jane Poe   \n"},
		{"letters", "NTE|1||José €", "José €\n"},
		{"nothing", "PID|1", ""},
		{"segments of a site", "ZPI|1|x\rNTE|1||d\rZZZ|y\r", "d\n"},
	} {
		for _, end := range []string{"\r", "\n", "\r\n"} {
			input := strings.ReplaceAll(head+c.input, "\r", end)
			if got := format.Reads(t, input).Text(); got != c.want {
				t.Errorf("%s, lines end with %q: %q, want %q", c.name, end, got, c.want)
			}
			for seed := range uint64(10) {
				format.Verify(t, []byte(input), seed)
			}
		}
	}
}

func TestWhatHL7Keeps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want string }{
		{"patient", "PID|1|x|4711^^^H^MR~12^^^S||POE^JANE^Q||19560412|F|||1 Main St^^Town||555-1234", "PID|1||||||||||||"},
		{"relatives", "NK1|1|POE^ZOE|MTH||555-1234\rGT1|1||POE\rIN1|1|A|B|C", "NK1|1||||\rGT1|1||\rIN1|1|||"},
		{
			"visit", "PV1|1|I|W7^1^2|E|||1^POE^JANE|||MED||||7|||||V1|||||||||||||||||01|||||||||20260102",
			"PV1|1|I||E||||||MED||||7||||||||||||||||||||||01|||||||||",
		},
		{"order", "ORC|RE|A1|B1||CM||||20260102|POE\rOBR|1|A1|B1|1^x^L|||20260102", "ORC|RE||||CM|||||\rOBR|1|||1^x^L|||"},
		{"numbers that are no count", "OBX|12345|TX|||a\rPID|4711-99\rNTE|+1.2||a", "OBX||TX|||a\rPID|\rNTE|+1.2||a"},
		{"values of no table", "EVN|A01|||Jane Poe\rPV1|1|123456|x|A~B^Jane Poe^12345", "EVN|A01|||\rPV1|1|||A~B^^"},
		{"codes with names in them", "OBX|1|CE|1 a^Height^LN||Jane Poe^x^LN^C 1^y^SCT^Dr. Poe^^z", "OBX|1|CE|^Height^LN||^x^LN^^y^SCT^^^z"},
		{"a code twice", "OBX|1|TX|1^Height^L||a\rOBX|2|TX|1^Width^L||b", "OBX|1|TX|1^Height^L||a\rOBX|2|TX|1^^L||b"},
		{"files", "OBX|1|ED|||^text^plain^Base64^SmFuZQ==||||||F", "OBX|1|ED|||||||||F"},
		{"messages", "MSA|AA|MSG1|refused", "MSA|AA||refused"},
		{"segments of a site", "ZPI|1|x\r\nNTE|1||d\r\nQQQ|1\r\n\r\n", "NTE|1||d\r\n"},
		{"more fields than there are", "NTE|1||a|b^c^d|c|d|e", "NTE|1||a|b^c^d|||"},
		{"escapes", "NTE|1||\\T\\\\.br\\\\X41\\\\Z01\\\\H\\\\q\\ \\", "NTE|1||\\T\\\\.br\\A\\H\\\\E\\q\\E\\ \\E\\"},
		{"empty", "NTE||||", "NTE||||"},
		{"lines", "NTE|1||a\nb\r", "NTE|1||a\\.br\\b\r"},
	} {
		d := format.Reads(t, head+c.input)
		format.Verify(t, d.Raw(), 1)
		if got := string(documenttest.Replaced(t, d, nil)); got != head+c.want {
			t.Errorf("%s: %q, want %q", c.name, got, head+c.want)
		}
	}
}

func TestHeadersOfHL7(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want, text string }{
		{
			"header", "MSH|^~\\&|LAB|Ward|EHR|H|20260102||ORU^R01|MSG1|P|2.5.1|||||USA|UNICODE UTF-8\r",
			"MSH|^~\\&|||||||ORU^R01||P|2.5.1||||||UNICODE UTF-8\r", "",
		},
		{"character set", "MSH|^~\\&||||||||||||||||8859/1~UNICODE UTF-8~Jane\r", "MSH|^~\\&||||||||||||||||8859/1~UNICODE UTF-8~\r", ""},
		{"truncation", "MSH|^~\\&#|\rNTE|1||\\P\\\\X7C\\\r", "MSH|^~\\&#|\rNTE|1||\\P\\\\F\\\r", "#|\n"},
		{"other delimiters", "MSH$*+!,$\rNTE$1$$a!F!b!T!|^\r", "MSH$*+!,$\rNTE$1$$a!F!b!T!|^\r", "a$b,|^\n"},
		{
			"delimiters of each message", "MSH|^~\\&|\rNTE|1||a\rMSH$^~\\&$\rNTE$1$$b|\r",
			"MSH|^~\\&|\rNTE|1||a\rMSH$^~\\&$\rNTE$1$$b|\r", "a\nb|\n",
		},
		{"frame", "\vMSH|^~\\&|\rNTE|1||a\r\x1c\r\vMSH|^~\\&|\r\x1c\r", "\vMSH|^~\\&|\rNTE|1||a\r\x1c\r\vMSH|^~\\&|\r\x1c\r", "a\n"},
		{"batch", "FHS|^~\\&|x\rBHS|^~\\&|x\rMSH|^~\\&|\rBTS|1\rFTS|1\r", "FHS|^~\\&|\rBHS|^~\\&|\rMSH|^~\\&|\rBTS|1\rFTS|1\r", ""},
	} {
		d := format.Reads(t, c.input)
		format.Verify(t, d.Raw(), 1)
		if got := string(documenttest.Replaced(t, d, nil)); got != c.want || d.Text() != c.text {
			t.Errorf("%s: %q, text %q, want %q, %q", c.name, got, d.Text(), c.want, c.text)
		}
	}
}

func TestEditsOfHL7(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, what, with, want string }{
		{"delimiters", "NTE|1||Jane", "Jane", "|^&~\\\n\r\x01\t", "NTE|1||\\F\\\\S\\\\T\\\\R\\\\E\\\\.br\\\t"},
		{"over escapes", "NTE|1||Ja\\H\\ne\\.br\\Poe", "Jane\nPoe", "Ann", "NTE|1||Ann\\H\\"},
		{"bytes", "NTE|1||a \\X4A616E65\\ b", "Jane", "Ann", "NTE|1||a Ann b"},
		{"a part of bytes", "NTE|1||\\X4A616E65\\", "an", "|", "NTE|1||J\\F\\e"},
		{"names of codes", "OBX|1|TX|1^Jane's test^L||x", "Jane", "A^n", "OBX|1|TX|1^A\\S\\n's test^L||x"},
		{"what would begin a segment", "NTE|1||a\nJane|x", "Jane", "PID", "NTE|1||a\\.br\\PID|x"},
	} {
		d := format.Reads(t, head+c.input)
		begin := strings.Index(d.Text(), c.what)
		out := documenttest.Replaced(t, d, []parts.Edit{{Begin: begin, End: begin + len(c.what), Text: c.with}})
		if got := string(out); got != head+c.want {
			t.Errorf("%s: %q, want %q", c.name, got, head+c.want)
		}
	}
}

func TestBrokenHL7(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, reason string }{
		{"empty", "", "does not begin with MSH"},
		{"a note", "Zorvakian", "does not begin with MSH"},
		{"no header", "PID|1|Zorvakian", "does not begin with MSH"},
		{"nothing but a header's name", "MSH", "does not begin with MSH"},
		{"a letter as delimiter", "MSHA^~\\&A", "does not begin with MSH"},
		{"no delimiters", "MSH||Zorvakian", "different delimiters"},
		{"too few delimiters", "MSH|^~\\|Zorvakian", "different delimiters"},
		{"too many delimiters", "MSH|^~\\&#%|Zorvakian", "different delimiters"},
		{"a delimiter twice", "MSH|^^\\&|Zorvakian", "different delimiters"},
		{"letters", "MSH|^~\\a|Zorvakian", "different delimiters"},
		{"no end of the delimiters", "MSH|^~\\&", "different delimiters"},
		{"a line end in the delimiters", "MSH|^~\\&\rPID|1", "different delimiters"},
		{"a second header", head + "MSH||Zorvakian", "different delimiters"},
		{"lines behind what is not read", head + "PID|1||47\rZorvakian", strayLines},
		{"lines behind a segment that is not read", head + "ZPI|1\n\nZorvakian\rNTE|1", strayLines},
		{"lines in codes", head + "OBX|1|TX|1^a\nZorvakian^L", strayLines},
		{"no UTF-8", head + "NTE|1||Zorvakian \xe9", "not UTF-8"},
	} {
		d, err := format.Parse([]byte(c.input))
		if err == nil {
			t.Errorf("%s: read as %q", c.name, d.Text())
			continue
		}
		if s := fmt.Sprintf("%v %+v", err, err); strings.Contains(s, "Zorvakian") || !strings.Contains(s, c.reason) {
			t.Errorf("%s: %s", c.name, s)
		}
	}
}

func TestHL7InLatin1(t *testing.T) {
	t.Parallel()
	in := []byte("MSH|^~\\&||||||||||||||||8859/1\rNTE|1||Jos\xe9 Poe\r")
	data, coding, err := encoding.Decode(encoding.Latin1, in)
	if err != nil {
		t.Fatal(err)
	}
	d := format.Reads(t, string(data))
	begin := strings.Index(d.Text(), "Poe")
	out, err := coding.Encode(documenttest.Replaced(t, d, []parts.Edit{{Begin: begin, End: begin + 3, Text: "Né"}}))
	if want := "MSH|^~\\&||||||||||||||||8859/1\rNTE|1||Jos\xe9 N\xe9\r"; err != nil || string(out) != want {
		t.Errorf("%q, %v", out, err)
	}
}

// line returns a segment with a value in a field.
func line(segment string, number int, value string) string {
	if segment == "MSH" || segment == "FHS" || segment == "BHS" {
		return segment + "|^~\\&" + strings.Repeat("|", number-2) + value + "|"
	}
	return segment + strings.Repeat("|", number) + value + "|"
}

// eachField calls f with each field of each segment, and some behind the last.
func eachField(f func(segment string, number int, kind kind)) {
	for segment, fields := range knownFields().segments {
		first := 1
		if segment == "MSH" || segment == "FHS" || segment == "BHS" {
			first = 3
		}
		for number := first; number <= 50; number++ {
			f(segment, number, fields[number])
		}
	}
}

func TestNothingPlantedStaysInHL7(t *testing.T) {
	t.Parallel()
	hexForm := "X" + hex.EncodeToString([]byte(plantedName))
	var lines []string
	eachField(func(segment string, number int, kind kind) {
		if kind == kindText || kind == kindCoded || kind == kindObservation {
			return
		}
		for _, form := range []string{
			plantedName, "%s %s", "%s^%s^%s^%s^%s", "%s&%s~%s", "19560412%s", "\\" + hexForm + "\\", "1^%s, Jane",
		} {
			lines = append(lines, line(segment, number, strings.ReplaceAll(form, "%s", plantedName)))
		}
	})
	for _, form := range []string{
		"ZPI|1|%s", "XYZ|%s|%s", "OBX|1|XPN|1^a^L||%s^%s", "OBX|1|%s|||x", "OBX|1|ED|||a^%s^%s", "OBX|1|zz|||%s",
		"OBX|1|CE|||1^2^3^4^5^6^7^8^9^%s", "OBX|1|CE|||1^2^A %s", "OBX|1|TX|||a\\Z5A4F5256414B49414E\\",
	} {
		lines = append(lines, strings.ReplaceAll(form, "%s", plantedName))
	}
	for _, line := range lines {
		d := format.Reads(t, head+line+"\rNTE|1||end\r")
		out := string(documenttest.Replaced(t, d, nil))
		if strings.Contains(d.Text()+out, plantedName) || strings.Contains(out, hexForm[1:]) || strings.Contains(out, ", Jane") {
			t.Errorf("%q became %q", line, out)
		}
		if !strings.HasSuffix(d.Text(), "end\n") {
			t.Errorf("%q hides what is behind it", line)
		}
	}
}

func TestWhatIsPlantedInTextOfHL7IsEdited(t *testing.T) {
	t.Parallel()
	hexForm := "\\X" + hex.EncodeToString([]byte(plantedName)) + "\\"
	eachField(func(segment string, number int, kind kind) {
		if kind != kindText && kind != kindCoded && kind != kindObservation {
			return
		}
		for _, form := range []string{plantedName, "by " + plantedName + "\\.br\\", hexForm, "a~" + plantedName, "ZOR\\H\\VAKIAN"} {
			d := format.Reads(t, head+line(segment, number, form))
			begin := strings.Index(d.Text(), plantedName)
			if begin < 0 {
				t.Errorf("%s-%d: the text of %q is %q", segment, number, form, d.Text())
				continue
			}
			out := string(documenttest.Replaced(t, d, []parts.Edit{{Begin: begin, End: begin + len(plantedName), Text: "Ann"}}))
			if strings.Contains(out, "ZOR") || strings.Contains(out, hexForm) || !strings.Contains(out, "Ann") {
				t.Errorf("%s-%d: %q became %q", segment, number, form, out)
			}
		}
	})
}

func TestCodeSystems(t *testing.T) {
	t.Parallel()
	for system, want := range map[string]bool{
		"LN": true, "SCT": true, "HL70001": true, "HL7": false, "HL7001": false, "HL7000A": false, "HL700011": false, "L": false, "": false,
	} {
		if knownFields().public(system) != want {
			t.Errorf("%q: %v", system, !want)
		}
	}
}

func TestFieldsOfHL7(t *testing.T) {
	t.Parallel()
	known := knownFields()
	for field, want := range map[string]kind{
		"MSH-9": kindCode, "MSH-18": kindCharset, "OBX-5": kindObservation, "NTE-3": kindText, "DG1-3": kindCoded, "PID-1": kindNumber,
		"PID-3": kindNone, "PID-5": kindNone, "PID-7": kindNone, "MSH-3": kindNone, "MSH-7": kindNone, "MSH-10": kindNone, "OBR-16": kindNone,
	} {
		segment, number, _ := strings.Cut(field, "-")
		n, _ := strconv.Atoi(number)
		if got := known.segments[segment][n]; got != want {
			t.Errorf("%s is of kind %d, want %d", field, got, want)
		}
	}
	for _, section := range []string{"fields", "types"} {
		for _, line := range wordlist.Sections(fieldFile)[section] {
			words := strings.Fields(line)
			named := slices.Contains([]string{"none", "number", "code", "charset", "coded", "text", "parts", "observation"}, words[1])
			if !named || section == "fields" && len(words[0]) < 5 {
				t.Errorf("%q says nothing", line)
			}
		}
	}
}
