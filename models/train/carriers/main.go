// Command carriers writes the sentences that the neural members are trained and
// measured on: open texts and a grammar's snippets ("carriers") are filled with
// made-up people, places and numbers, cut into sentences and words by the
// ensemble's own code, and written as JSON Lines.
//
//	go run ./models/train/carriers -check            # is the grammar sound?
//	go run ./models/train/carriers -sample 20        # what does it write?
//	go run ./models/train/carriers -out build/train/data
//
// A site's own annotated notes become training sentences of their own, as they are
// and with their PHI filled anew, and so do sentences that were corrected:
//
//	go run ./models/train/carriers -out build/train/data -annotated notes/ -errors corrected.jsonl
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "carriers:", err)
		}
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	out       string
	config    string
	annotated string
	errors    string
	labels    string
	grammar   string
	check     bool
	sample    int
	root      string
	seed      uint64
}

func run(args []string, out, log io.Writer) error {
	var o options
	flags := flag.NewFlagSet("carriers", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&o.out, "out", "", "folder to write the files to")
	flags.StringVar(&o.annotated, "annotated", "", "write only a site's own annotated notes: a file or folder of i2b2 XML, BRAT or JSON Lines")
	flags.StringVar(&o.errors, "errors", "", "write only corrected sentences: JSON Lines of pgdeid eval --errors")
	flags.StringVar(&o.labels, "labels", "", "with -annotated and -errors: file of the meanings of labels, LABEL = TYPE[,TYPE...] "+
		"or LABEL = ignore")
	flags.StringVar(&o.config, "config", "models/train/train.yaml", "settings; the part data: is read")
	flags.StringVar(&o.grammar, "grammar", "", "folder of the grammar's files *.txt (default: what the settings say)")
	flags.BoolVar(&o.check, "check", false, "check the grammar and stop")
	flags.IntVar(&o.sample, "sample", 0, "print so many filled snippets and stop")
	flags.StringVar(&o.root, "root", "train.", "with -sample and -check: productions to begin with, by the beginning of their names")
	flags.Uint64Var(&o.seed, "seed", 1, "with -sample: seed of chance")
	if err := flags.Parse(args); err != nil {
		return err
	}
	set, err := loadSettings(o.config)
	if err != nil {
		return err
	}
	if o.grammar != "" {
		set.Grammar = o.grammar
	}
	o.grammar = set.Grammar
	if o.check || o.sample > 0 {
		return checkGrammar(o, out)
	}
	if o.out == "" {
		return errors.New("say -out FOLDER, -check or -sample N")
	}
	if o.annotated != "" || o.errors != "" {
		return buildOwn(o, set, log)
	}
	return build(o, set, log)
}
