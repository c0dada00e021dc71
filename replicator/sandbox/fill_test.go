package sandbox

import (
	"os"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// TestFill fills an EHR and compares it with the hospital.
func TestFill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	if _, err := FindBinDir(); err != nil {
		t.Skip("PostgreSQL is not installed: ", err)
	}
	dir, err := MkdirTemp("pgdeid-fill-")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	s, err := Start(ctx, dir+"/s", Options{Settings: FastSettings()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Kill()
		os.RemoveAll(dir)
	})
	conn, err := s.Conn(ctx, "postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	h, err := synth.NewHospital(1, synth.Options{Patients: 30, Notes: 40})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, step := range []func() error{
		func() error { return CreateEHR(ctx, conn) },
		func() error { return Fill(ctx, conn, h) },
		func() error { return FillNotes(ctx, conn, h, 0, 40, func() { told++ }) },
		func() error { d := h.Note(40); return InsertNote(ctx, conn, &d) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	for table, want := range map[string]int{
		"site": len(h.Sites), "provider": len(h.Providers), "patient": 30, "encounter": len(h.Encounters),
		"lab_result": 2 * len(h.Encounters), "insurance": 30, "front_desk_log": 30, "note": 41,
	} {
		var n int
		if err := conn.QueryRow(ctx, "select count(*) from ehr."+table).Scan(&n); err != nil || n != want {
			t.Errorf("ehr.%s has %d rows, want %d (%v)", table, n, want, err)
		}
	}
	d := h.Note(7)
	var body string
	if err := conn.QueryRow(ctx, "select body from ehr.note where note_id = $1", d.ID).Scan(&body); err != nil || body != d.Text {
		t.Errorf("note 7 differs (%v)", err)
	}
	if told != 40 {
		t.Errorf("told of %d notes", told)
	}
	if err := Fill(ctx, conn, h); err == nil {
		t.Error("filling twice gave no error")
	}
}
