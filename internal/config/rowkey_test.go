package config

import "testing"

func TestNamesRows(t *testing.T) {
	t.Parallel()
	types := map[string]string{"id": "bigint", "line": "smallint", "day": "date", "written": "timestamp(3) without time zone", "ymd": "integer"}
	direct, path := Path{Column: "person"}, Path{Column: "visit", Table: "ehr.visit", Key: "visit"}
	for name, c := range map[string]struct {
		patient Path
		key     []string
		columns []Column
		want    bool
	}{
		"pseudonym":                      {direct, []string{"id"}, []Column{{Name: "id", Publish: Pseudonym}}, true},
		"pseudonym and line":             {path, []string{"id", "line"}, []Column{{Name: "id", Publish: Pseudonym}, {Name: "line", Publish: Keep}}, true},
		"dropped":                        {direct, []string{"id"}, []Column{{Name: "id", Publish: Drop}}, false},
		"not mapped":                     {direct, []string{"id"}, nil, false},
		"text":                           {direct, []string{"id"}, []Column{{Name: "id", Publish: Text}}, false},
		"year":                           {direct, []string{"day"}, []Column{{Name: "day", Publish: Year}}, false},
		"date of a patient in the key":   {direct, []string{"person", "day"}, []Column{{Name: "person", Publish: Pseudonym}, {Name: "day", Publish: ShiftDate}}, true},
		"time of a patient in the key":   {direct, []string{"person", "written"}, []Column{{Name: "person", Publish: Pseudonym}, {Name: "written", Publish: ShiftDate}}, true},
		"date of a patient by a path":    {path, []string{"visit", "day"}, []Column{{Name: "visit", Publish: Pseudonym}, {Name: "day", Publish: ShiftDate}}, false},
		"date without its patient":       {direct, []string{"id", "day"}, []Column{{Name: "id", Publish: Pseudonym}, {Name: "day", Publish: ShiftDate}}, false},
		"number of a date and a patient": {direct, []string{"person", "ymd"}, []Column{{Name: "person", Publish: Pseudonym}, {Name: "ymd", Publish: ShiftDate}}, false},
	} {
		table := Table{Schema: "ehr", Name: "note", Patient: c.patient, Columns: c.columns}
		if got := table.NamesRows(c.key, func(column string) string { return types[column] }); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
