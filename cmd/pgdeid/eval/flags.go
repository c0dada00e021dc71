package eval

import (
	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
)

type evalFlags struct {
	detector.Flags
	leakage   leakageFlags
	labels    string
	format    string
	show      int
	blind     bool
	synthetic int
	seed      uint64
	asJSON    bool
	html      string
	errors    string
	force     bool
	ablation  bool
	compare   bool
	tolerance float64
	details   bool
	kappa     bool
	overScrub string

	predictions string
	partial     bool
}

// registerAll names the flags of eval.
func (f *evalFlags) registerAll(flags *pflag.FlagSet) {
	f.Register(flags)
	f.leakage.register(flags)
	flags.StringVar(&f.labels, "labels", "", "`file` of LABEL = TYPE[,TYPE] or LABEL = ignore lines")
	flags.StringVar(&f.format, "format", "", "read as i2b2, i2b2-2006, brat or jsonl (default: look)")
	flags.IntVar(&f.show, "show", 0, "print up to `n` misses and false alarms: quotes the text")
	flags.BoolVar(&f.blind, "no-record", false, "leave out what is known of patients and staff")
	flags.IntVar(&f.synthetic, "synthetic", 0, "score `n` notes of a made-up hospital")
	flags.Uint64Var(&f.seed, "seed", 1, "of the made-up hospital")
	flags.StringVar(&f.html, "html", "", "write a report to `file`, one page that needs no other")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	flags.StringVar(&f.errors, "errors", "", "write sentences with misses and false alarms to `file`: identified text")
	flags.BoolVar(&f.force, "force", false, "let --errors write over a file")
	flags.BoolVar(&f.ablation, "ablation", false, "measure each member alone and left out")
	flags.BoolVar(&f.details, "details", false, "print the papers' tables too")
	flags.BoolVar(&f.kappa, "kappa", false, "compare two annotators' marks of the same documents instead")
	flags.BoolVar(&f.compare, "compare", false, "compare two results of --json instead")
	flags.Float64Var(&f.tolerance, "tolerance", 0, "`points` of a hundred that --compare lets a rate fall")
	flags.StringVar(&f.predictions, "predictions", "", "score another tool's `file` or folder instead of running the detectors")
	flags.BoolVar(&f.partial, "partial", false, "let --predictions leave documents out")
	flags.StringVar(&f.overScrub, "over-scrub", "", "which clinical terms are taken: `half` all, dev or test of the suite")
	flags.Lookup("over-scrub").NoOptDefVal = "all"
}

const evalLong = `eval runs the detectors over documents whose PHI is marked and prints precision and
recall by words and by entities, for the groups A, B and C of identifiers, by class,
by type, by kind of note and by group of names; where documents come with their
patient's record, also for what is in it and for what is not.

It reads i2b2 2014 XML, i2b2 2006 XML, BRAT (.txt with .ann) and JSON Lines (- is
standard input; .gz is unpacked), files or folders, and detects the format.
JSON Lines are:
  {"id","text","spans":[{"start","end","label" or "type"}],"patient"?,"patient_id"?,"kind"?,"group"?,
   "gender"?}
Offsets count Unicode code points. A "type" is one of pgdeid's own; a "label" is the
source's, looked up in a built-in map that --labels extends.

--synthetic n scores n notes of a made-up hospital instead, with its staff known as
the service knows them.

--json saves the counts of each document, so that --compare A.json B.json can show what
B does better and worse than A, with 95% intervals by bootstrap over the documents. If
recall or precision of a group, class or type fell with its whole interval, and by more
than --tolerance, the exit status is 3. Of many rows one may fall by chance.

--ablation measures each member alone and each left out.

--details adds the papers' tables: precision and recall as Supplementary Table 4 of
Murugadoss et al. has them, all scores of the i2b2 2014 task (strict, relaxed, tokens;
all types and HIPAA's), and errors by category, by note and by kind of note.

--kappa A B compares two annotators' marks of the same documents.

--leakage puts surrogates in, as 'pgdeid deid' does, and reports what of the gold is left
in the new texts; more than --max-leakage percent of the words of group C is exit
status 3.

--over-scrub runs over clinical terms in sentences without PHI and reports which are taken,
and by which members: eponyms, scores, devices, drugs, abbreviations, units, headers and words that
are names elsewhere. The list shows the terms of the half "dev" alone: "test" is for
figures, and --over-scrub=test lists it.

--predictions scores another tool's output for the same documents: JSON Lines of
{"id","spans":[{"start","end","label" or "type"}]} or, as redacted text with placeholders
such as [NAME], [**...**], ***, <PHI> or XXXX, of {"id","text"}; or a file or folder of
any format that is read as gold. Ids have to be the gold's.

--errors writes the sentences that hold misses or false alarms: correct their "spans",
add them to what the next version is trained on, and compare the two.

Misses and false alarms quote the text. Use --show only on made-up documents, and keep
what --errors writes as you keep the notes.`

const evalExample = `  pgdeid eval gold.jsonl
  pgdeid eval i2b2/testing-PHI-Gold-fixed
  pgdeid eval --synthetic 5000 --show 40
  pgdeid eval --detectors patterns,record --json gold.jsonl > a.json
  pgdeid eval --json gold.jsonl > b.json && pgdeid eval --compare a.json b.json
  pgdeid eval --ablation gold.jsonl
  pgdeid eval --details i2b2/testing-PHI-Gold-fixed
  pgdeid eval --kappa first-annotator/ second-annotator/
  pgdeid eval --leakage --max-leakage 0.5 gold.jsonl
  pgdeid eval --errors errors.jsonl gold.jsonl
  pgdeid eval --html report.html gold.jsonl
  pgdeid eval --over-scrub --html terms.html
  pgdeid eval --predictions theirs.jsonl gold.jsonl
  pgdeid eval --labels my-labels.txt gold.jsonl   # lines such as: CLINICIAN = DOCTOR`
