package document
import "testing"
func TestZZ(t *testing.T) {
	for _, s := range rtfSeeds {
		d, err := Parse(RTF, []byte(s))
		if err != nil { t.Errorf("%v %q", err, s); continue }
		out, _ := d.Replace(nil)
		t.Logf("IN  %s\nTXT %q\nOUT %s\n", s, d.Text(), out)
	}
}
