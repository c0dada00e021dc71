package config

import (
	"strings"
	"testing"
)

func TestSeparators(t *testing.T) {
	t.Parallel()
	for column, want := range map[string]string{ // want: a part of the error; "" for none
		`{tells: phone, publish: surrogate, separator: ";"}`:              "",
		`{tells: phone, separator: " / "}`:                                "want one to three characters",
		`{tells: phone, separator: "|"}`:                                  "",
		`{publish: pseudonym, separator: ","}`:                            "",
		`{publish: date_shift, separator: " "}`:                           "",
		`{publish: pseudonym, separator: "and"}`:                          "want one to three characters",
		`{publish: pseudonym, separator: ""}`:                             "want one to three characters",
		`{publish: keep, separator: ";"}`:                                 "separator belongs to",
		`{publish: text, separator: ";"}`:                                 "separator belongs to",
		`{publish: drop, separator: ";"}`:                                 "separator belongs to",
		`{publish: year, separator: ";"}`:                                 "separator belongs to",
		`{tells: birth_date, publish: date_shift, separator: ";"}`:        "separator belongs to",
		`{publish: text, format: json, paths: {$.a: keep}, separator: ;}`: "separator belongs to",
	} {
		file := connections + "tables:\n  ehr.note:\n    patient: person\n    columns: {body: text, value: " + column + "}\n"
		_, err := Parse([]byte(file), nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", column, err)
		}
	}
	file := connections + "tables:\n  ehr.note:\n    patient: person\n    columns: {body: text, person: {publish: pseudonym, separator: ;}}\n"
	if _, err := Parse([]byte(file), nil); err == nil || !strings.Contains(err.Error(), "take separator out") {
		t.Errorf("of a patient key: %v", err)
	}
}

func TestTypesOfLists(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		column     Column
		from, want string // want "": refused
	}{
		{Column{Publish: Pseudonym}, "bigint[]", "bigint[]"},
		{Column{Publish: Pseudonym}, "smallint[]", "integer[]"},
		{Column{Publish: Surrogate, Tells: "phone"}, "character varying(20)[]", "text[]"},
		{Column{Publish: ShiftDate}, "date[]", "date[]"},
		{Column{Publish: ShiftDate, Tells: "birth_date"}, "date[]", ""},
		{Column{Publish: Year}, "integer[]", ""},
		{Column{Publish: AgeCap}, "integer[]", ""},
		{Column{Publish: Keep}, "numeric(10,2)[]", "numeric(10,2)[]"},
		{Column{Publish: Pseudonym}, "bytea[]", ""},
		{Column{Publish: Pseudonym, Separator: ";"}, "text", "text"},
		{Column{Publish: Pseudonym, Separator: ";"}, "integer", ""},
		{Column{Publish: Pseudonym, Separator: ";"}, "text[]", ""},
	} {
		got, err := c.column.ReplicaType(c.from)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s of %s: %q, %v", c.column.Publish, c.from, got, err)
		}
	}
	one, each := Column{Publish: Pseudonym}, Column{Publish: Pseudonym, Separator: ";"}
	if one.Treatment() == each.Treatment() || Explain(one.Treatment()) == Explain(each.Treatment()) || PolicyOf(each.Treatment()) != Pseudonym {
		t.Errorf("treatments %q and %q", one.Treatment(), each.Treatment())
	}
}

func TestLayoutsOfDates(t *testing.T) {
	t.Parallel()
	for column, want := range map[string]string{ // want: a part of the error; "" for none
		`{publish: date_shift, layout: mmddyyyy}`:                                              "",
		`{publish: date_shift, layout: dd.mm.yy}`:                                              "",
		`{publish: year, layout: ddmonyyyy}`:                                                   "",
		`{tells: birth_date, layout: DDMMYYYY}`:                                                "",
		`{publish: date_shift, layout: iso}`:                                                   "want a layout of",
		`{publish: date_shift, layout: mmddyyyy, order: mdy}`:                                  "take order out",
		`{publish: date_shift, order: mdy, layout: mmddyyyy}`:                                  "take order out",
		`{publish: keep, layout: mmddyyyy}`:                                                    "belong to policies date_shift and year",
		`{publish: year, layout: yymmdd}`:                                                      "two digits",
		`{tells: birth_date, publish: date_shift, layout: yymmdd}`:                             "two digits",
		`{tells: birth_date, publish: surrogate, layout: ddmmyyyy}`:                            "belong to policies date_shift and year",
		`{publish: date_shift, layout: mmddyyyy, separator: ";"}`:                              "",
		`{publish: text, format: json, paths: {$.a: {publish: date_shift, layout: mmddyyyy}}}`: "",
	} {
		file := connections + "tables:\n  ehr.note:\n    patient: person\n    columns: {body: text, value: " + column + "}\n"
		_, err := Parse([]byte(file), nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", column, err)
		}
	}
	for typ, want := range map[string]string{"text": "text", "integer": "", "date": "", "bigint": "", "character varying(8)": "text", "text[]": "text[]"} {
		got, _ := (&Column{Publish: ShiftDate, Order: "mmddyyyy"}).ReplicaType(typ)
		if got != want {
			t.Errorf("a layout of %s: %q", typ, got)
		}
	}
	if got, _ := (&Column{Publish: ShiftDate, Order: "yyyyddmm"}).ReplicaType("integer"); got != "integer" {
		t.Errorf("a layout of numbers that begin with the year: %q", got)
	}
}
