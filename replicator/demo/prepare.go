package demo

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"text/template"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/preflight"
	"github.com/pgdeid/pgdeid/sql/roles"
	"github.com/pgdeid/pgdeid/surrogate"
)

//go:embed demo.yaml
var mappingTemplate string

// Site is where a made-up hospital is and where its replica will be. Dir is a folder for the key,
// passwords and the mapping.
type Site struct {
	Dir                 string
	Source, Replica     *sandbox.Server
	SourceDB, ReplicaDB string
}

// Mapping returns the path of the configuration that [Site.Configure] writes.
func (s *Site) Mapping() string { return filepath.Join(s.Dir, "pgdeid.yaml") }

// Configure writes the key, a random password for each role, and the mapping, and reads them.
func (s *Site) Configure() (*config.Config, *surrogate.Key, error) {
	if err := s.writeSecrets(); err != nil {
		return nil, nil, err
	}
	if err := s.writeConfig(); err != nil {
		return nil, nil, err
	}
	cfg, err := config.Load(s.Mapping())
	if err != nil {
		return nil, nil, err
	}
	key, err := surrogate.ReadKey(cfg.KeyFile)
	return cfg, key, err
}

// prepare does what a DBA does once: key, configuration, migrations, preflight.
func (w *world) prepare(ctx context.Context, _ *Result) error {
	w.say.step("Key, mapping, migrations, preflight")
	var err error
	if w.cfg, w.key, err = w.site().Configure(); err != nil {
		return err
	}
	for _, target := range []migrations.Target{migrations.Source, migrations.Replica} {
		if err := sql.Up(ctx, w.cfg, target, sql.Options{Log: w.log}); err != nil {
			return err
		}
	}
	findings, err := preflight.Run(ctx, w.cfg)
	if err != nil {
		return err
	}
	w.tellFindings(findings)
	if findings.Failed() {
		return fault.New("check the demonstration's servers", errors.New("\"pgdeid check\" found problems"),
			"say --keep and look at what it printed; or try another version of PostgreSQL")
	}
	return nil
}

func (w *world) tellFindings(findings finding.List) {
	count := map[finding.Level]int{}
	for _, f := range findings {
		count[f.Level]++
		switch f.Level {
		case finding.Problem:
			w.say.bad("%s: %s (%s)", f.Subject, f.Text, f.Remedy)
		case finding.Warning:
			w.say.line("%s: %s", f.Subject, f.Text)
		}
	}
	w.say.line("pgdeid check: %d ok, %d notes, %d warnings, %d problems",
		count[finding.OK], count[finding.Note], count[finding.Warning], count[finding.Problem])
}

func (w *world) site() *Site {
	return &Site{Dir: w.dir, Source: w.source, Replica: w.replica, SourceDB: sourceDB, ReplicaDB: replicaDB}
}

// writeSecrets makes the key file and a random password for each role.
func (s *Site) writeSecrets() error {
	dir := filepath.Join(s.Dir, "secrets")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for name, secret := range map[string]string{
		"replication": rand.Text(), "reader": rand.Text(), "service": rand.Text(),
		"source-admin": s.Source.Password(), "replica-admin": s.Replica.Password(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(secret+"\n"), 0o600); err != nil {
			return err
		}
	}
	return surrogate.NewKeyFile(filepath.Join(dir, "key"))
}

func (s *Site) writeConfig() error {
	t, err := template.New("demo.yaml").Parse(mappingTemplate)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(s.Mapping(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	err = t.Execute(file, map[string]string{
		"Dir":       s.Dir,
		"SourceDSN": s.Source.DSN(roles.Replication, s.SourceDB), "SourceAdminDSN": s.Source.DSN(s.Source.Superuser(), s.SourceDB),
		"ReplicaDSN": s.Replica.DSN(roles.Service, s.ReplicaDB), "ReplicaAdminDSN": s.Replica.DSN(s.Replica.Superuser(), s.ReplicaDB),
	})
	return fault.New("write the demo's mapping", err, "")
}
