package itest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// person is somebody who has logged in at the review station, without a browser.
type person struct {
	t      *testing.T
	base   string
	client *http.Client
}

// logIn logs somebody in as soon as the station listens.
func logIn(t *testing.T, address, name string) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t, address, &http.Client{Jar: jar}}
	eventually(t, "it listens", func() bool {
		a, err := http.Get(address + "/login") //nolint:noctx // the test's time is bounded
		if err == nil {
			a.Body.Close()
		}
		return err == nil
	})
	if at, page := p.post("/login", url.Values{"name": {name}, "password": {reviewPassword}}); at != "/" {
		t.Fatalf("%s can't log in: %s\n%s", name, at, page)
	}
	return p
}

func (p *person) read(a *http.Response, err error) (at, page string) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode >= http.StatusBadRequest {
		p.t.Fatalf("%s: %s %v\n%s", a.Request.URL, a.Status, err, body)
	}
	return a.Request.URL.Path, string(body)
}

func (p *person) get(path string) string {
	p.t.Helper()
	_, page := p.read(p.client.Get(p.base + path))
	return page
}

func (p *person) post(path string, form url.Values) (at, page string) {
	p.t.Helper()
	return p.read(p.client.PostForm(p.base+path, form))
}

// cookie returns what a browser of the person would send.
func (p *person) cookie() string {
	p.t.Helper()
	at, err := url.Parse(p.base)
	if err != nil {
		p.t.Fatal(err)
	}
	var list []string
	for _, c := range p.client.Jar.Cookies(at) {
		list = append(list, c.Name+"="+c.Value)
	}
	return strings.Join(list, "; ")
}

func (p *person) send(path, data string) (answer string) {
	p.t.Helper()
	_, answer = p.read(p.client.Post(p.base+path, "application/json", strings.NewReader(data)))
	return answer
}

// round takes one note of the first round after the other, has it decided and finishes it.
func (p *person) round(how string, decide func(*noteOnPage)) {
	p.t.Helper()
	at, page := p.post("/rounds/1/"+how, nil)
	for at != "/" {
		n := &noteOnPage{person: p, at: at, page: page}
		_, rest, _ := strings.Cut(page, `id="state">`)
		data, _, _ := strings.Cut(rest, "</script>")
		if err := json.Unmarshal([]byte(data), &n.state); err != nil {
			p.t.Fatalf("%v\n%s", err, page)
		}
		decide(n)
		marks, err := json.Marshal(n.state.Marks)
		if err != nil {
			p.t.Fatal(err)
		}
		at, page = p.post(at+"/finish", url.Values{"marks": {string(marks)}})
	}
}
