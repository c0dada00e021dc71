package itest

import (
	"os"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/browsertest"
	"github.com/pgdeid/pgdeid/internal/review/queue"
)

// pictured is a made-up note for the pictures of the documentation. The ward's nickname is what people find.
var pictured = strings.Join([]string{
	"DISCHARGE SUMMARY", "",
	"Patient: Marguerite Ashdown    MRN: MR-4711    DOB: 02/03/1950",
	"Admitted: 03/04/2021    Discharged: 03/09/2021    Attending: Helen Prioleau, MD", "",
	"Mrs. Ashdown is a 71-year-old retired schoolteacher from Bellingham who was brought in by her daughter Colette with three days of productive " +
		"cough and fever of 38.9. She lives at 14 Larch Street and is followed by Dr. Prioleau for atrial fibrillation. Chest radiograph on 3/4 showed " +
		"a right lower lobe infiltrate; blood cultures stayed negative.", "",
	"She was treated with ceftriaxone and azithromycin on the Rookery and was weaned to room air by March 7. Metoprolol was raised to 50 mg twice " +
		"daily. Warfarin continues, INR 2.4 at discharge.", "",
	"Plan: follow-up with Dr. Prioleau on 03/23/2021 at Whatcom Valley Clinic, chest film in six weeks. Colette will drive and can be reached at " +
		"(360) 555-0142.", "",
	"Dictated by H. Prioleau 03/09/2021 16:40",
}, "\n")

// The pictures of the documentation, of the shipped ensemble's work, go into the folder that PGDEID_PICTURES names.
func TestReviewPictures(t *testing.T) {
	if os.Getenv("PGDEID_PICTURES") == "" || !onnx.Built {
		t.Skip("PGDEID_PICTURES names no folder, or there is no native library: 'make pictures' makes them")
	}
	detector := openedDetector(t, []config.Model{{Default: true}})
	r := newReplication(t, newPair(t))
	do(t, r.src, `insert into ehr.patient values (1, 'Marguerite', 'Ashdown', 'MR-4711', '1950-02-03')`)
	if _, err := r.src.Exec(t.Context(), "insert into ehr.note values (1, 1, '2021-03-09', 'discharge', $1)", pictured); err != nil {
		t.Fatal(err)
	}
	running := r.run(t, detector)
	r.caughtUp(t)
	running.stop(t)
	d := r.deskWith(t, detector)
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	if _, _, err := queue.Draw(t.Context(), d, r.reviewStore(t), queue.Spec{
		Name: "spring", Kind: review.Acceptance, Table: "ehr.note", Column: "body", Notes: 1, Readers: 1, Seed: "s", DrawnBy: "lee",
	}); err != nil {
		t.Fatal(err)
	}
	address, _ := r.reviewStation(t, d, role)
	b := browsertest.Open(t, 1280, 900)
	b.Go(address, "#name:focus")
	b.Press("ann", browsertest.Tabulator, reviewPassword, browsertest.Enter)
	b.Wait(".rounds")
	b.Click(".rounds button")
	b.Wait("#original:focus")
	b.Press(browsertest.Home)
	for !strings.HasSuffix(b.Text("#now"), ": Rookery") {
		b.Press(browsertest.Right)
	}
	b.Press("m")
	b.Wait("#type:focus")
	b.Press("HOSP", browsertest.Enter)
	b.Wait(".mark.missed")
	b.Until(`document.getElementById("saved").textContent === "Saved."`)
	b.Picture("note")
	b.Phone()
	b.Scheme("dark")
	browsertest.Eval[bool](b, `document.querySelector("#original .now").scrollIntoView({block: "center"}); true`)
	b.Picture("phone")
}
