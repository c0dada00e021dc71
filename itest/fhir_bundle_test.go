package itest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const bundleTables = `create schema fhir; create table fhir.bundle (id text primary key, patient_id int, resource jsonb);`

const bundleMapping = `patient_key: integer
tables:
  fhir.bundle:
    patient: patient_id
    columns: {id: {publish: pseudonym, domain: Bundle}, patient_id: pseudonym, resource: {fhir: Bundle}}
`

// Bundles are published as valid bundles without anything that was planted in any element in which FHIR lets a text be, and their
// references lead to the same entries as in the source.
func TestReplicateFHIRBundles(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), bundleTables, bundleMapping)
	p := &plants{all: map[string]bool{}}
	var source []string
	for i, kind := range bundleKinds {
		p.fixed, p.told = nil, nil
		p.fixed = map[string]string{"given": p.next("given"), "family": p.next("family"), "family2": p.next("family2"), "town": p.next("town")}
		doc := asJSON(t, (&bundler{T: t, kind: kind, n: i + 1}).bundle(p))
		source = append(source, doc)
		if i == len(bundleKinds)-1 { // the last one comes in the stream
			r.run(t, exactDetector(t))
			r.caughtUp(t)
		}
		if _, err := r.src.Exec(t.Context(), "insert into fhir.bundle values ($1, $2, $3)", fmt.Sprintf("bundle-%d", i), i+1, doc); err != nil {
			t.Fatal(err)
		}
	}
	r.caughtUp(t)
	want(t, r.dst, "", "select coalesce(string_agg(table_name || ' ' || reason, ','), '') from deid.quarantine")
	if len(p.all) < 5000 {
		t.Fatalf("%d values planted", len(p.all))
	}
	hidden := maps.Clone(p.all) // what the scan below would not find where it was planted
	for _, doc := range source {
		everyText(parsed(t, doc), "", func(_, text string) {
			for _, found := range p.in(decoded(text)) {
				delete(hidden, found)
			}
		})
	}
	if len(hidden) > 0 {
		t.Errorf("%d planted values can't be found in the source, such as %v", len(hidden), slices.Sorted(maps.Keys(hidden))[:1])
	}
	published := map[string]string{}
	for _, doc := range texts(t, r.dst, "select resource::text from fhir.bundle") {
		published[parsed(t, doc).(map[string]any)["type"].(string)] = doc
	}
	for i, kind := range bundleKinds {
		t.Run(kind.name, func(t *testing.T) { sameBundle(t, p, source[i], published[kind.name]) })
	}
	for _, table := range texts(t, r.dst, `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'm') and n.nspname !~ '^(pg_catalog|pg_toast|information_schema)$' or c.oid = 'pg_statistic'::regclass`) {
		for _, row := range texts(t, r.dst, "select to_jsonb(x)::text from "+table+" x") {
			if found := p.in(row); len(found) > 0 {
				t.Errorf("%s has %v", table, found)
			}
		}
	}
	validateFHIR(t, append(source, slices.Collect(maps.Values(published))...))
}

// sameBundle checks what is published of a bundle.
func sameBundle(t *testing.T, p *plants, source, published string) {
	t.Helper()
	if published == "" {
		t.Fatal("not published")
	}
	from, to := parsed(t, source), parsed(t, published)
	leaks := map[string]int{}
	everyText(to, "", func(path, text string) {
		if found := p.in(decoded(text)); len(found) > 0 {
			leaks[anyIndex.ReplaceAllString(path, "[*]")] += len(found)
		}
	})
	for _, path := range slices.Sorted(maps.Keys(leaks)) {
		t.Errorf("%d planted values in %s", leaks[path], path)
	}
	if m := anyEmpty.FindString(published); m != "" {
		t.Errorf("something is empty: %q", m)
	}
	was, is := entriesOf(from), entriesOf(to)
	if len(was) == 0 || len(is) != len(was) {
		t.Fatalf("%d entries of %d can be referred to", len(is), len(was))
	}
	leads, refs := 0, referencesOf(to)
	for path, ref := range referencesOf(from) {
		entry, ok := was[ref]
		out, published := refs[path]
		switch {
		case !published && !ok, !published && inDropped.MatchString(path):
		case !published:
			t.Errorf("the reference at %s is not published", path)
		case !ok || is[out] != entry:
			t.Errorf("the reference at %s leads to %q, not to %q", path, is[out], entry)
		default:
			leads++
		}
	}
	if leads < 100 {
		t.Errorf("%d references lead to entries", leads)
	}
	for path, ref := range refs {
		if is[ref] == "" {
			t.Errorf("the reference at %s leads nowhere", path)
		}
	}
}

var (
	anyEmpty = regexp.MustCompile(`.{0,40}(?:\{\}|\[\]|\bnull\b)`)
	anyIndex = regexp.MustCompile(`\[\d+\]`)
	// inDropped matches paths of references in elements that are not published.
	inDropped = regexp.MustCompile(`\.(signature|contact|endpoint)\b`)
	version   = regexp.MustCompile(`/_history/.*$`)
)

// entriesOf returns which entry of a bundle each reference leads to that leads to one, by the rules of FHIR.
func entriesOf(bundle any) map[string]string {
	all := map[string]string{}
	for i, e := range bundle.(map[string]any)["entry"].([]any) {
		entry := e.(map[string]any)
		resource, _ := entry["resource"].(map[string]any)
		name, _ := entry["fullUrl"].(string)
		if resource == nil || name == "" {
			continue
		}
		all[name] = fmt.Sprintf("%d %v", i, resource["resourceType"])
	}
	return all
}

// referencesOf returns the references in a bundle by their paths, each with the server of the bundle.
func referencesOf(bundle any) map[string]string {
	base := ""
	for name := range entriesOf(bundle) {
		if parts := strings.Split(name, "/"); len(parts) > 2 {
			base = strings.Join(parts[:len(parts)-2], "/") + "/"
		}
	}
	all := map[string]string{}
	everyText(bundle, "", func(path, text string) {
		if !strings.HasSuffix(path, ".reference") || strings.Contains(path, "education") {
			return
		}
		if text = version.ReplaceAllString(text, ""); !strings.Contains(text, ":") {
			text = base + text
		}
		all[path] = text
	})
	return all
}

// validateFHIR has resources checked by a program of others, where that is installed: make test-fhir.
func validateFHIR(t *testing.T, resources []string) {
	t.Helper()
	python, err := filepath.Abs("../build/fhir/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(python); err != nil {
		t.Log("not validated: make test-fhir installs what does that")
		return
	}
	cmd := exec.CommandContext(t.Context(), python, "fhir/validate.py")
	var lines strings.Builder
	for _, r := range resources {
		lines.WriteString(strings.ReplaceAll(strings.TrimSpace(r), "\n", " ") + "\n")
	}
	cmd.Stdin = strings.NewReader(lines.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("validated: %s", out)
}
