// Package config is the one YAML file that points pgdeid at an EHR: where source
// and replica are, how rows lead to patients, what each column holds and what is
// published of it.
package config

import (
	"time"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Policy says what of a column is published.
type Policy string

// The policies.
const (
	Drop      Policy = "drop" // the default: the column is not in the replica
	Keep      Policy = "keep"
	Pseudonym Policy = "pseudonym"
	ShiftDate Policy = "date_shift"
	Text      Policy = "text"      // free text: de-identified
	Surrogate Policy = "surrogate" // the same surrogate that the notes show; needs a role
	Zip3      Policy = "zip3"
	Year      Policy = "year"
	AgeCap    Policy = "age_cap"
	// ByPath is the policy of a column of JSON whose paths say what is published, none of them as free text. No file names
	// it: a column has it that has such paths.
	ByPath Policy = "paths"
)

// KeyType is the type of the patient key, whatever columns hold it.
type KeyType string

// The types of patient keys.
const (
	Integer KeyType = "integer"
	TextKey KeyType = "text"
	UUID    KeyType = "uuid"
)

// Config is the whole file. Load returns it validated, with defaults filled in.
type Config struct {
	Path       string // of the file
	Source     Source
	Replica    Replica
	KeyFile    string
	OldKeyFile string // of the epoch before, while the key is changed; else ""
	Gazetteers string // "foreign" or "direct"; default: "foreign" with a client certificate, else "direct"
	Surrogates surrogate.Options
	Release    Release
	Detect     Detect
	Limits     Limits
	HTTP       string // health and metrics, default "127.0.0.1:9187"; "" switches it off
	PatientKey KeyType
	Tables     []Table // in the order of the file; then those that filters alone read
	Filters    []Filter
	Risk       Risk
	Review     Review
	Tracing    Tracing
}

// Source is the EHR's database. Passwords come from files or the environment.
type Source struct {
	DSN                string // of the replication role; env PGDEID_SOURCE_DSN
	PasswordFile       string // or env PGDEID_SOURCE_PASSWORD
	AdminDSN           string // for migrations; env PGDEID_SOURCE_ADMIN_DSN
	AdminPasswordFile  string // or env PGDEID_SOURCE_ADMIN_PASSWORD
	Slot               string // default "pgdeid"
	Publication        string // default "pgdeid"
	ReaderPasswordFile string // of role pgdeid_reader
	ForeignHost        string // how the replica's server reaches the source; default: as in DSN
	ForeignCert        string // client certificate of pgdeid_reader, a file on the replica's server
	ForeignKey         string // its key, likewise
	Heartbeat          time.Duration
}

// Replica is the research database.
type Replica struct {
	DSN               string // of pgdeid_service; env PGDEID_REPLICA_DSN
	PasswordFile      string // or env PGDEID_REPLICA_PASSWORD
	AdminDSN          string // env PGDEID_REPLICA_ADMIN_DSN
	AdminPasswordFile string // or env PGDEID_REPLICA_ADMIN_PASSWORD
}

// ReleaseMode says when a change becomes visible to analysts.
type ReleaseMode string

// The modes of release.
const (
	Live    ReleaseMode = "live"    // as it arrives
	Batches ReleaseMode = "batches" // all at once, at intervals
	Delayed ReleaseMode = "delayed" // when the day of its arrival, moved as the patient's dates are, has come
)

// Release says when changes become visible to analysts.
type Release struct {
	Mode  ReleaseMode   // default Live
	Every time.Duration // of batches; default a week
}

// Where verified sentences and templates are, other than in a file.
const (
	InVault     = "vault" // of the replica
	NoInclusion = "none"
)

// Detect chooses the members of the ensemble.
type Detect struct {
	// Detectors names members, built-in ones and those of Models; default all. Where every
	// name begins with a hyphen they are those left out.
	Detectors   []string
	Threshold   int         // votes needed; default 1
	Aggregation Aggregation // default: combine
	Combining   Combining
	Models      []Model // models; default: those that come with the program
	// Inclusion says where the sentences are that were verified, Templates where the
	// templates: InVault (default), NoInclusion, or a file that 'pgdeid harvest export'
	// wrote.
	Inclusion, Templates string
	// Site says whether the site's phrases count that are in the vault: InVault (default) or NoInclusion.
	Site string
	// Workers are machines that run the networks besides this one. They decide nothing about the output.
	Workers Workers
}

// Limits bound what the pipeline holds and groups.
type Limits struct {
	Workers    int           // detection goroutines; default the number of cores
	QueueBytes int64         // row changes between reader and committer; default 64 MiB
	GroupRows  int           // rows in one replica transaction; default 500
	Linger     time.Duration // longest wait for a group to fill; default 10 ms
	// CachedSentences is how many sentences each network remembers the results of; default 100,000, in about 32 MB.
	CachedSentences int
	NoteTimeout     time.Duration // detection of one note, and of each further MiB of it; default 2 min
	// DirectoryInterval is the shortest time between the beginnings of two passes over all
	// notes after something was added to the staff and site directory; default 24 h.
	DirectoryInterval time.Duration
}

// Table maps one table of the source.
type Table struct {
	Schema, Name string
	Patient      Path
	Columns      []Column // in the order of the file
	Note         *Note    `json:",omitempty"` // nil: each row is a note of its own
}

// Path says how a row leads to its patient: by its own Column, or, where Table
// is set, through the rows of that (mapped) table whose Key equals Column. The
// zero value: rows belong to no patient (staff, sites).
type Path struct {
	Column string
	Table  string // "schema.name"
	Key    string
	// JSON is where in the documents of Column the key is, or a reference to it: "$.subject.reference"; "" if Column holds no
	// documents.
	JSON string `json:",omitempty"`
	// Format is Reference if Column holds references, "Patient/17"; else "".
	Format document.Format `json:",omitempty"`
	// More are further columns that are a key only together with Column and Key: a site, and a number there.
	More []Link `json:",omitempty"`
	// When says in which rows Column holds the patient key itself, nil for the usual: in all where Table is "", in none where it
	// is not. Other rows lead through Table, or to no patient.
	When *Condition `json:",omitempty"`
}

// Divides reports whether some rows hold the patient key, and the others lead through another table.
func (p *Path) Divides() bool { return p.When != nil && p.Table != "" }

// Link is a pair of columns of a [Path].
type Link struct{ Column, Key string }

// Columns returns the table's own columns of a path.
func (p *Path) Columns() []string {
	list := []string{p.Column}
	for _, l := range p.More {
		list = append(list, l.Column)
	}
	return list
}

// Keys returns the columns of the next table that are equal to [Path.Columns], one each.
func (p *Path) Keys() []string {
	list := []string{p.Key}
	for _, l := range p.More {
		list = append(list, l.Key)
	}
	return list
}

// Column maps one column.
type Column struct {
	Name    string
	Tells   record.Role // "" if nothing
	Publish Policy
	Domain  string // of pseudonyms; default the column's name, "patient" for patient keys
	// Order says how dates are written whose month and day are both numbers behind or
	// before each other, for policies date_shift and year; or their whole layout.
	Order plain.Order `json:",omitempty"`
	// Separator is what stands between the values of a column that holds many in one text; "" for single values.
	Separator string `json:",omitempty"`
	// Format says what kind of documents the values are, for policy text; "" for plain text.
	Format document.Format `json:",omitempty"`
	// Encoding says how the documents are wrapped, for policy text; "" if they are not.
	Encoding encoding.Encoding `json:",omitempty"`
	// Paths say what of documents in JSON is published and what they tell, each as a column does whose name is the path; nil
	// if all of it is text.
	Paths []Column `json:",omitempty"`
	// FHIR says that the documents are resources of FHIR, of which the program has lists.
	FHIR bool `json:",omitempty"`
	// List says which of these lists the last paths are from. It changes nothing of what the paths say.
	List FHIRList `json:"-"`
	// Join says how the lines are joined of which the column holds the text; "" if it holds whole texts.
	Join Join `json:",omitempty"`
}
