package sandbox

import (
	"crypto/rand"
	"fmt"
	"maps"
	"net"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Options say how a server is made. The zero value serves.
type Options struct {
	Port      int               // TCP port on 127.0.0.1; 0 takes a free one
	Superuser string            // "postgres" if empty
	BinDir    string            // folder of initdb and postgres; FindBinDir's choice if empty
	Settings  map[string]string // lines for postgresql.conf, over the defaults below
}

// defaults are the settings of a sandbox server: fit for logical replication by
// several consumers, small in memory.
var defaults = map[string]string{
	"wal_level":             "logical",
	"max_connections":       "100",
	"max_replication_slots": "20",
	"max_wal_senders":       "20",
	"shared_buffers":        "64MB",
	"max_wal_size":          "2GB",
	"timezone":              "UTC",
	"log_timezone":          "UTC",
	"listen_addresses":      "127.0.0.1",
	"log_line_prefix":       "%m [%p] %q%u@%d ",
}

// FastSettings are settings for tests: a crash of the machine may lose data, a crash of
// the server or of any process may not.
func FastSettings() map[string]string {
	return map[string]string{"fsync": "off", "full_page_writes": "off"}
}

// withDefaults returns a copy with every field set.
func (o Options) withDefaults() (Options, error) {
	if o.Superuser == "" {
		o.Superuser = "postgres"
	}
	if o.BinDir == "" {
		dir, err := FindBinDir()
		if err != nil {
			return o, err
		}
		o.BinDir = dir
	}
	settings := maps.Clone(defaults)
	maps.Copy(settings, o.Settings)
	o.Settings = settings
	return o, nil
}

// conf returns the settings as lines of postgresql.conf.
func conf(settings map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&b, "%s = '%s'\n", name, strings.ReplaceAll(settings[name], "'", "''"))
	}
	return b.String()
}

// locale is UTF-8 with the order of bytes, where the system has such a locale.
func locale() string {
	if runtime.GOOS == "linux" {
		return "C.UTF-8"
	}
	return "C"
}

// freePort asks the kernel for a TCP port that is not in use.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(port)
}

// newPassword returns 130 random bits as text.
func newPassword() string { return rand.Text() }
