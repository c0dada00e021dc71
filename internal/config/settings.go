package config

import (
	"maps"
	"time"

	"github.com/pgdeid/pgdeid/surrogate/date"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// defaults returns a Config with what holds where the file says nothing.
// Limits.Workers stays 0: the number of cores of the machine that runs it.
func defaults() *Config {
	return &Config{
		Source: Source{Slot: "pgdeid", Publication: "pgdeid", Heartbeat: 10 * time.Second},
		Surrogates: surrogate.Options{
			Profile: surrogate.SafeHarbor,
			Dates:   surrogate.DateShift{MinDays: 30, MaxDays: 365, Direction: surrogate.Back, Order: date.MonthFirst},
		},
		Release: Release{Mode: Live, Every: 7 * 24 * time.Hour},
		Detect:  Detect{Threshold: 1, Models: []Model{{Default: true}}, Inclusion: InVault, Templates: InVault, Site: InVault},
		Risk:    Risk{SmallestClass: DefaultSmallestClass},
		Limits: Limits{
			QueueBytes: 64 << 20, GroupRows: 500, Linger: 10 * time.Millisecond, NoteTimeout: 2 * time.Minute,
			DirectoryInterval: 24 * time.Hour,
		},
		HTTP:       "127.0.0.1:9187",
		PatientKey: Integer,
	}
}

// Where gazetteers are read from.
const (
	Foreign = "foreign" // through the replica's foreign server deid_ehr
	Direct  = "direct"  // over a connection to the source as pgdeid_reader
)

// chooseGazetteers settles what the file leaves open: the foreign server where the
// replica can use it without holding a secret of the source, else a connection.
func (c *Config) chooseGazetteers() {
	switch {
	case c.Gazetteers != "":
	case c.Source.ForeignCert != "":
		c.Gazetteers = Foreign
	default:
		c.Gazetteers = Direct
	}
}

// read fills c from the root of a file.
func (c *Config) read(root node) {
	version := 0
	root.setters(map[string]func(node){
		"version":      integer(&version, 1),
		"source":       c.readSource,
		"replica":      c.readReplica,
		"key_file":     text(&c.KeyFile),
		"old_key_file": text(&c.OldKeyFile),
		"gazetteers":   oneOf("way", &c.Gazetteers, Foreign, Direct),
		"profile":      oneOf("profile", &c.Surrogates.Profile, surrogate.SafeHarbor, surrogate.Limited, surrogate.Custom),
		"actions":      c.readActions,
		"dates":        c.readDates,
		"release":      c.readRelease,
		"detect":       c.readDetect,
		"limits":       c.readLimits,
		"http":         address(&c.HTTP),
		"patient_key":  oneOf("type of keys", &c.PatientKey, Integer, TextKey, UUID),
		"tables":       c.readTables,
		"exclude":      c.readFilters(Exclude),
		"include":      c.readFilters(Include),
		"merges":       c.readFilters(Merges),
		"risk":         c.readRisk,
		"review":       c.readReview,
		"tracing":      c.readTracing,
	})
	if version == 0 {
		root.fail("say which format this is, on the first line: version: 1")
	}
}

func (c *Config) readSource(n node) {
	s := &c.Source
	n.setters(map[string]func(node){
		"dsn":                  dsnText(&s.DSN),
		"password_file":        text(&s.PasswordFile),
		"admin_dsn":            dsnText(&s.AdminDSN),
		"admin_password_file":  text(&s.AdminPasswordFile),
		"slot":                 slotName(&s.Slot),
		"publication":          identifier(&s.Publication),
		"reader_password_file": text(&s.ReaderPasswordFile),
		"foreign_host":         text(&s.ForeignHost),
		"foreign_sslcert":      text(&s.ForeignCert),
		"foreign_sslkey":       text(&s.ForeignKey),
		"heartbeat":            duration(&s.Heartbeat, time.Second, time.Hour),
	})
	if (s.ForeignCert == "") != (s.ForeignKey == "") {
		n.fail("foreign_sslcert and foreign_sslkey belong together")
	}
}

func (c *Config) readReplica(n node) {
	r := &c.Replica
	n.setters(map[string]func(node){
		"dsn":                 dsnText(&r.DSN),
		"password_file":       text(&r.PasswordFile),
		"admin_dsn":           dsnText(&r.AdminDSN),
		"admin_password_file": text(&r.AdminPasswordFile),
	})
}

func (c *Config) readActions(n node) {
	actions := map[phi.Type]surrogate.Action{}
	for _, f := range n.fields() {
		t, err := phi.ParseType(f.name)
		if err != nil {
			f.value.fail("unknown PHI type (one of %v)", phi.Types())
			continue
		}
		var a surrogate.Action
		oneOf("action", &a, surrogate.Keep, surrogate.Replace, surrogate.Tag)(f.value)
		if a != "" {
			actions[t] = a
		}
	}
	if len(actions) > 0 {
		c.Surrogates.Actions = actions
	}
}

func (c *Config) readDates(n node) {
	d := &c.Surrogates.Dates
	n.setters(map[string]func(node){
		"min_days":    integer(&d.MinDays, 36500),
		"max_days":    integer(&d.MaxDays, 36500),
		"direction":   oneOf("direction", &d.Direction, surrogate.Back, surrogate.Forward, surrogate.Both),
		"whole_weeks": boolean(&d.WholeWeeks),
		"order":       oneOf("order", &d.Order, date.MonthFirst, date.DayFirst),
	})
	switch {
	case d.MinDays > d.MaxDays:
		n.fail("min_days (%d) is more than max_days (%d)", d.MinDays, d.MaxDays)
	case d.WholeWeeks && d.MaxDays/7 == (d.MinDays-1)/7:
		n.fail("whole_weeks needs a multiple of 7 between min_days and max_days")
	}
}

// readRelease reads a mode alone, or with its settings.
func (c *Config) readRelease(n node) {
	r := &c.Release
	mode := oneOf("mode of release", &r.Mode, Live, Batches, Delayed)
	if !n.isMapping() {
		mode(n)
		return
	}
	n.setters(map[string]func(node){"mode": mode, "every": duration(&r.Every, time.Second, 10*365*24*time.Hour)})
}

func (c *Config) readDetect(n node) {
	setters := c.Detect.Combining.setters()
	maps.Copy(setters, map[string]func(node){
		"detectors":   texts(&c.Detect.Detectors),
		"threshold":   integer(&c.Detect.Threshold, 32),
		"aggregation": c.Detect.Aggregation.read,
		"models":      func(v node) { c.Detect.Models = readModels(v, false) },
		"inclusion":   text(&c.Detect.Inclusion),
		"templates":   text(&c.Detect.Templates),
		"workers":     c.Detect.Workers.read,
		"site":        oneOf("place of the site's phrases", &c.Detect.Site, InVault, NoInclusion),
	})
	n.setters(setters)
	d := &c.Detect
	switch {
	case len(d.Detectors) > 0 && !LeavesOut(d.Detectors) && d.Threshold > len(d.Detectors):
		n.fail("threshold is more than the number of detectors (%d): nothing would ever be found", len(d.Detectors))
	case d.Threshold > 1 && d.Aggregation.By != "" && d.Aggregation.By != merge.ByVote:
		n.fail("threshold counts votes, which aggregation %s does not: leave one of them out", d.Aggregation.By)
	}
}

func (c *Config) readLimits(n node) {
	l := &c.Limits
	n.setters(map[string]func(node){
		"workers":          integer(&l.Workers, 1024),
		"queue_bytes":      bytesOf(&l.QueueBytes, 1<<20, 1<<40),
		"group_rows":       integer(&l.GroupRows, 100000),
		"cached_sentences": integer(&l.CachedSentences, 100_000_000),

		"linger":       duration(&l.Linger, 0, 10*time.Second),
		"note_timeout": duration(&l.NoteTimeout, time.Second, time.Hour),

		"directory_interval": duration(&l.DirectoryInterval, time.Minute, 366*24*time.Hour),
	})
}
