package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Load reads, checks and completes a configuration file. Variables of the
// environment overrule it. Names of files in it are relative to its folder. The
// error lists everything that is wrong, with line numbers and without values
// that could be secret: see [Problems].
func Load(path string) (*Config, error) {
	op := "read configuration " + path
	data, err := readFile(path, writable)
	if fault.Hint(err) != "" {
		return nil, fault.New(op, err, "")
	}
	if err != nil {
		return nil, fault.New(op, err, "name the file with --config or PGDEID_CONFIG; \"pgdeid init\" writes a first one")
	}
	c, err := Parse(data, os.LookupEnv)
	if err != nil {
		return nil, fault.New(op, err, "correct the lines named; internal/config/README.md describes every key")
	}
	c.Path = path
	c.resolveFiles(filepath.Dir(path))
	return c, nil
}

// Parse is [Load] for a file that is in memory; env looks variables of the
// environment up (nil: there are none). Its errors are [Problems].
func Parse(data []byte, env func(string) (string, bool)) (*Config, error) {
	var problems Problems
	c := defaults()
	root, ok := parse(data, &problems)
	if !ok {
		return nil, problems
	}
	c.read(root)
	c.chooseGazetteers()
	c.addFilterTables()
	if env != nil {
		c.override(env, &problems)
	}
	c.validate(&problems, keyLines(root))
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
		return nil, capped(problems)
	}
	return c, nil
}

// capped keeps the first problems of a file that is not of this kind at all.
func capped(ps Problems) Problems {
	const most = 25
	if len(ps) <= most {
		return ps
	}
	rest := Problem{Text: fmt.Sprintf("and %d more", len(ps)-most)}
	return append(ps[:most:most], rest)
}

// keyLines returns the line of each key of the file.
func keyLines(root node) map[string]int {
	lines := map[string]int{}
	var quiet Problems // what is wrong here was noted when it was read
	var walk func(n node)
	walk = func(n node) {
		lines[n.key] = n.line
		if n.isMapping() {
			for _, f := range n.fields() {
				walk(f.value)
			}
		}
	}
	root.out = &quiet
	walk(root)
	return lines
}

// override applies the environment.
func (c *Config) override(env func(string) (string, bool), out *Problems) {
	for _, v := range []struct {
		name string
		dst  *string
		dsn  bool
	}{
		{"PGDEID_SOURCE_DSN", &c.Source.DSN, true},
		{"PGDEID_SOURCE_ADMIN_DSN", &c.Source.AdminDSN, true},
		{"PGDEID_REPLICA_DSN", &c.Replica.DSN, true},
		{"PGDEID_REPLICA_ADMIN_DSN", &c.Replica.AdminDSN, true},
		{"PGDEID_SOURCE_PASSWORD_FILE", &c.Source.PasswordFile, false},
		{"PGDEID_SOURCE_ADMIN_PASSWORD_FILE", &c.Source.AdminPasswordFile, false},
		{"PGDEID_READER_PASSWORD_FILE", &c.Source.ReaderPasswordFile, false},
		{"PGDEID_REPLICA_PASSWORD_FILE", &c.Replica.PasswordFile, false},
		{"PGDEID_REPLICA_ADMIN_PASSWORD_FILE", &c.Replica.AdminPasswordFile, false},
		{"PGDEID_SOURCE_PASSWORD_FILE", &c.Source.PasswordFile, false},
		{"PGDEID_SOURCE_ADMIN_PASSWORD_FILE", &c.Source.AdminPasswordFile, false},
		{"PGDEID_READER_PASSWORD_FILE", &c.Source.ReaderPasswordFile, false},
		{"PGDEID_REPLICA_PASSWORD_FILE", &c.Replica.PasswordFile, false},
		{"PGDEID_REPLICA_ADMIN_PASSWORD_FILE", &c.Replica.AdminPasswordFile, false},
		{"PGDEID_KEY_FILE", &c.KeyFile, false},
		{"PGDEID_OLD_KEY_FILE", &c.OldKeyFile, false},
		{"PGDEID_DETECT_KEY_FILE", &c.Detect.Workers.Certificate.KeyFile, false},
		{"PGDEID_HTTP", &c.HTTP, false},
	} {
		value, ok := env(v.name)
		if !ok {
			continue
		}
		if v.dsn {
			if text := dsnProblem(value); text != "" {
				*out = append(*out, Problem{Key: v.name, Text: text})
				continue
			}
		}
		*v.dst = value
	}
}

// resolveFiles makes the names of files absolute or relative to the working
// directory; folder is that of the configuration file.
func (c *Config) resolveFiles(folder string) {
	for _, name := range []*string{
		&c.KeyFile, &c.OldKeyFile, &c.Source.PasswordFile, &c.Source.AdminPasswordFile, &c.Source.ReaderPasswordFile,
		&c.Replica.PasswordFile, &c.Replica.AdminPasswordFile, &c.Review.OIDC.ClientSecretFile,
		&c.Detect.Workers.Certificate.CertFile, &c.Detect.Workers.Certificate.KeyFile, &c.Detect.Workers.Certificate.AuthorityFile,
	} {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(folder, *name)
		}
	}
	if a := &c.Detect.Aggregation; a.Folder != "" && !filepath.IsAbs(a.Folder) {
		a.Folder = filepath.Join(folder, a.Folder)
	}
	files := []*string{&c.Detect.Combining.Weights}
	for i := range c.Detect.Combining.Vocabulary {
		files = append(files, &c.Detect.Combining.Vocabulary[i])
	}
	for _, name := range files {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(folder, *name)
		}
	}
	for _, in := range []*string{&c.Detect.Inclusion, &c.Detect.Templates} {
		if *in != InVault && *in != NoInclusion && !filepath.IsAbs(*in) {
			*in = filepath.Join(folder, *in)
		}
	}
	for i := range c.Detect.Models {
		if m := &c.Detect.Models[i]; m.Folder != "" && !filepath.IsAbs(m.Folder) {
			m.Folder = filepath.Join(folder, m.Folder)
		}
	}
}
