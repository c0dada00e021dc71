//go:build alerts

package itest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/review/browsertest"
)

// pageDir is where "make picture-dashboard" builds the page of folder dashboard, as seen from this package.
const pageDir = "../build/dashboard"

// page serves the dashboard, drawn with Grafana's components, and what its panels ask of Prometheus.
func (p prometheus) page(t *testing.T) string {
	t.Helper()
	server, err := url.Parse(p.url)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", httputil.NewSingleHostReverseProxy(server))
	mux.Handle("/grafana/build/", http.StripPrefix("/grafana/build/", http.FileServer(http.Dir(pageDir+"/node_modules/@grafana/ui/dist/public"))))
	mux.Handle("/", http.FileServer(http.Dir(pageDir+"/page")))
	mux.HandleFunc("/dashboard.json", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, alerts+"/dashboard.json") })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// drawnPanel is what the page has of a panel.
type drawnPanel struct {
	Title, Type, Error, Text string
	Clipped                  []string // texts that do not fit
	Painted                  bool     // its canvas has a line in a colour of the legend
	Series                   [][]any  // query, name, how many values that are numbers
}

// allDrawn is true when every panel has its answers, and its canvas where it has one.
const allDrawn = `window.failures.length > 0 || document.fonts.status === "loaded" && document.querySelectorAll("[data-panel]").length > 0 &&
	[...document.querySelectorAll("[data-panel]")].every(p => p.querySelector(".error") ||
		p.dataset.series && (p.dataset.type !== "timeseries" || p.querySelector("canvas")))`

// panels is an expression for what the page has of all panels.
const panels = `JSON.stringify([...document.querySelectorAll("[data-panel]")].map(p => {
	const colors = new Set([...p.querySelectorAll("[data-testid='series-icon']")].map(i => getComputedStyle(i).backgroundColor.replace(/ /g, "")));
	const canvas = p.querySelector("canvas");
	const dots = canvas ? canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data : [];
	let painted = false;
	for (let i = 0; i < dots.length && !painted; i += 4)
		painted = dots[i + 3] === 255 && colors.has("rgb(" + dots.slice(i, i + 3).join(",") + ")");
	return {
		title: p.dataset.panel, type: p.dataset.type, error: p.querySelector(".error")?.textContent ?? "", text: p.innerText, painted,
		clipped: [...p.querySelectorAll("h2, h6, button, span, div")].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 &&
			getComputedStyle(e).overflowX !== "visible").map(e => e.innerText),
		series: JSON.parse(p.dataset.series ?? "[]"),
	};
}))`

// drawn opens the dashboard in a browser, stores its picture, and fails where a panel is not as Grafana's users expect it.
func (p prometheus) drawn(t *testing.T, name string, parameters url.Values) map[string]drawnPanel {
	t.Helper()
	b := browsertest.Open(t, 1600, 2480)
	b.Go(p.page(t)+"/?"+parameters.Encode(), "main")
	b.Until(allDrawn)
	browsertest.Eval[bool](b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	b.Picture(name)
	if failures := browsertest.Eval[string](b, `window.failures.join("\n")`); failures != "" {
		t.Errorf("%s: errors of the page: %s", name, failures)
	}
	var all []drawnPanel
	if err := json.Unmarshal([]byte(browsertest.Eval[string](b, panels)), &all); err != nil {
		t.Fatal(err)
	}
	byTitle := map[string]drawnPanel{}
	for _, s := range all {
		byTitle[s.Title] = s
		s.wellDrawn(t, name)
	}
	if len(all) != len(dashboardExpressions(t)) {
		t.Errorf("%s: %d panels of %d", name, len(all), len(dashboardExpressions(t)))
	}
	return byTitle
}

// wellDrawn fails where a panel has an error, no values, or words that can't be read.
func (s drawnPanel) wellDrawn(t *testing.T, name string) {
	t.Helper()
	if s.Error != "" || len(s.Series) == 0 || len(s.Clipped) > 0 || s.Type == "timeseries" && !s.Painted {
		t.Errorf("%s: %s: error %q, %d series, cut off %q, painted %v", name, s.Title, s.Error, len(s.Series), s.Clipped, s.Painted)
	}
	values := 0.0
	for _, series := range s.Series {
		values += series[2].(float64)
		label, _ := series[1].(string)
		if strings.TrimSpace(label) == "" || s.Type == "timeseries" && !strings.Contains(s.Text, label) {
			t.Errorf("%s: %s: query %v has a series whose name %q is not shown", name, s.Title, series[0], label)
		}
	}
	if values == 0 {
		t.Errorf("%s: %s has no values", name, s.Title)
	}
}

// Every panel draws with Grafana's own components, of a pgdeid to which a day's events happen within minutes.
func TestDashboardInABrowser(t *testing.T) {
	if _, err := os.Stat(pageDir + "/page/dashboard.js"); err != nil {
		t.Skip("no page: 'make picture-dashboard' builds it")
	}
	r := newReplication(t, newOwnPair(t))
	addr := ownAddress(t)
	settings, worker := alertSettings(t, r)
	r.cfg = r.config(t, settings+"http: "+addr+"\n"+wardTables)
	do(t, r.src, patients)
	p := startPrometheus(t, addr)
	startPgdeid(t, nil, "run", "--stay", "--config", r.cfg.Path)
	events := r.wardEvents(t, worker)
	r.streaming(t)
	start := time.Now()
	r.busy(t, 0, 50, events)
	if board := p.drawn(t, "dashboard-early", since(start, "light")); !strings.Contains(board["WAL until the slot is lost"].Text, "no limit") {
		t.Errorf("without a limit of WAL: %q", board["WAL until the slot is lost"].Text)
	}
	r.busy(t, 50, 200, events)
	board := p.drawn(t, "dashboard", since(start, "light"))
	if text := board["State"].Text; !strings.HasSuffix(text, "\nstreaming") || strings.Contains(text, "copying") {
		t.Errorf("the state that is, and none that was: %q", text)
	}
	p.drawn(t, "dashboard-dark", since(start, "dark"))
}

// wardEvents returns what happens at seconds of the ward's day.
func (r *replication) wardEvents(t *testing.T, worker string) map[int]func() {
	t.Helper()
	detecting := r.detecting(t, worker)
	return map[int]func(){
		30: func() { do(t, r.src, "update ehr.patient set family = 'Quarkwright' where patient_id = 1") },
		60: func() {
			do(t, r.src, "alter system set max_slot_wal_keep_size = '64MB'")
			do(t, r.src, "select pg_reload_conf()")
		},
		75:  func() { do(t, r.src, "insert into ehr.note values (9000001, null, null, 'new', 'Whose is it?')") },
		90:  func() { detecting.kill() },
		110: func() { r.detecting(t, worker) },
		140: func() {
			do(t, r.src, "select pg_terminate_backend(active_pid) from pg_replication_slots where active")
		},
	}
}

// busy has notes arrive, change and go from one second of the ward's day to another.
func (r *replication) busy(t *testing.T, from, to int, events map[int]func()) {
	t.Helper()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for second := from; second < to; second++ {
		if event := events[second]; event != nil {
			event()
		}
		first := 1000 * (second + 1)
		do(t, r.src, fmt.Sprintf(`
			insert into ehr.note select n, 1 + n %% 2, '2021-03-05', 'new', format('Day %%s. Quarkstein was seen by Dr. Vance on 3/%%s/2021 ' ||
				'at %%s Larch Street. Lungs clear, heart regular, no edema; warfarin continues, INR %%s.', n, 1 + n %% 28, n %% 97, n %% 5)
				from generate_series(%d, %d) n;
			update ehr.note set status = 'signed' where note_id between %d and %[3]d + 3;
			delete from ehr.note where note_id = %d`, first, first+arrivals(second), first-1000, first-3000))
		<-tick.C
	}
}

// arrivals returns how many notes arrive in a second: they come and go, and at times many come at once.
func arrivals(second int) int {
	return cmp.Or(map[int]int{100: 250, 165: 400}[second], int(8+7*math.Sin(float64(second)/11)))
}

// since is what a person would choose in Grafana: all since a time, in a theme.
func since(start time.Time, theme string) url.Values {
	return url.Values{
		"from": {start.UTC().Format(time.RFC3339)}, "to": {time.Now().UTC().Format(time.RFC3339)}, "scrape": {"5s"}, "theme": {theme},
	}
}
