package eval

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/eval/leakage"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// patientsInMemory is how many patients' surrogates are held at a time.
const patientsInMemory = 4096

// leakageFlags choose whether and how documents are replaced as well as searched.
type leakageFlags struct {
	on      bool
	keyFile string
	most    float64
}

func (f *leakageFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "leakage", false, "put surrogates in, and measure what is left of the gold")
	flags.StringVar(&f.keyFile, "key-file", "", "with --leakage, the key `file` (default: a key for this run alone)")
	flags.Float64Var(&f.most, "max-leakage", 100, "with --leakage, the most `percent` of words of group C that may be left")
}

// replacer returns the replacement step of 'pgdeid deid', or nil without --leakage.
func (f leakageFlags) replacer(blind bool) (leakage.Replacer, error) {
	if !f.on {
		return nil, nil
	}
	if f.most < 0 || f.most > 100 {
		return nil, command.UsageError("--max-leakage: want 0 to 100")
	}
	key, err := f.key()
	if err != nil {
		return nil, err
	}
	maker, err := surrogate.New(key, surrogate.Options{Profile: surrogate.SafeHarbor})
	if err != nil {
		return nil, err
	}
	shelf, err := maker.NewShelf(patientsInMemory)
	if err != nil {
		return nil, err
	}
	count := 0
	return func(doc *score.Document, found []phi.Span) (leakage.Replaced, error) {
		count++
		record := doc.Patient
		if blind {
			record = nil
		}
		key := doc.PatientID
		if key == "" {
			key = fmt.Sprintf("\x00document\x00%d", count) // a patient of its own, as a line of 'pgdeid deid'
		}
		book, _ := shelf.Patient(key, record)
		return replaceWith(book, doc.Text, found)
	}, nil
}

func replaceWith(book *surrogate.Book, text string, found []phi.Span) (leakage.Replaced, error) {
	res, err := book.Replace(text, found)
	if errors.Is(err, surrogate.ErrLeak) {
		return leakage.Replaced{}, leakage.ErrWithheld
	}
	if err != nil {
		return leakage.Replaced{}, err
	}
	out := leakage.Replaced{Text: res.Text, Surrogates: make([]leakage.Surrogate, 0, len(res.Spans))}
	for _, s := range res.Spans {
		out.Surrogates = append(out.Surrogates, leakage.Surrogate{Start: s.Start, End: s.End, Was: s.Was})
	}
	return out, nil
}

// key reads the key file or, without one, creates a temporary key.
func (f leakageFlags) key() (key *surrogate.Key, err error) {
	if f.keyFile != "" {
		return command.ReadKey(f.keyFile)
	}
	dir, err := os.MkdirTemp("", "pgdeid-eval-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "key")
	if err := surrogate.NewKeyFile(path); err != nil {
		return nil, err
	}
	return surrogate.ReadKey(path)
}

// verdict returns an error with its own exit status if more is left than --max-leakage.
func (f leakageFlags) verdict(r *leakage.Report) error {
	if r == nil {
		return nil
	}
	if left := r.Groups[score.C.String()]; 100*left.Rate() > f.most {
		return command.Attention(fmt.Errorf("%.3f%% of the words of group C are left after replacement, more than --max-leakage %g",
			100*left.Rate(), f.most))
	}
	return nil
}
