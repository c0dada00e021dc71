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
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/surrogate"
)

//go:embed demo.yaml
var mappingTemplate string

func (w *world) configPath() string { return filepath.Join(w.dir, "pgdeid.yaml") }

// prepare does what a DBA does once: key, configuration, migrations, preflight.
func (w *world) prepare(ctx context.Context, _ *Result) error {
	w.say.step("Key, mapping, migrations, preflight")
	if err := w.writeSecrets(); err != nil {
		return err
	}
	if err := w.writeConfig(); err != nil {
		return err
	}
	var err error
	if w.cfg, err = config.Load(w.configPath()); err != nil {
		return err
	}
	if w.key, err = surrogate.ReadKey(w.cfg.KeyFile); err != nil {
		return err
	}
	for _, target := range []sql.Target{sql.Source, sql.Replica} {
		if err := sql.Up(ctx, w.cfg, target, sql.Options{Log: w.log}); err != nil {
			return err
		}
	}
	findings, err := sql.Preflight(ctx, w.cfg)
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

func (w *world) tellFindings(findings sql.Findings) {
	count := map[sql.Level]int{}
	for _, f := range findings {
		count[f.Level]++
		switch f.Level {
		case sql.Problem:
			w.say.bad("%s: %s (%s)", f.Subject, f.Text, f.Remedy)
		case sql.Warning:
			w.say.line("%s: %s", f.Subject, f.Text)
		}
	}
	w.say.line("pgdeid check: %d ok, %d notes, %d warnings, %d problems", count[sql.OK], count[sql.Note], count[sql.Warning], count[sql.Problem])
}

// writeSecrets makes the key file and a random password for each role.
func (w *world) writeSecrets() error {
	dir := filepath.Join(w.dir, "secrets")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for name, secret := range map[string]string{
		"replication": rand.Text(), "reader": rand.Text(), "service": rand.Text(),
		"source-admin": w.source.Password(), "replica-admin": w.replica.Password(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(secret+"\n"), 0o600); err != nil {
			return err
		}
	}
	return surrogate.NewKeyFile(filepath.Join(dir, "key"))
}

func (w *world) writeConfig() error {
	t, err := template.New("demo.yaml").Parse(mappingTemplate)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(w.configPath(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	err = t.Execute(file, map[string]string{
		"Dir":       w.dir,
		"SourceDSN": w.source.DSN(sql.ReplicationRole, sourceDB), "SourceAdminDSN": w.source.DSN(w.source.Superuser(), sourceDB),
		"ReplicaDSN": w.replica.DSN(sql.ServiceRole, replicaDB), "ReplicaAdminDSN": w.replica.DSN(w.replica.Superuser(), replicaDB),
	})
	return fault.New("write the demo's mapping", err, "")
}
