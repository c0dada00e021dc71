package config

import "github.com/pgdeid/pgdeid/ensemble/merge"

// Aggregation says how the members' votes become spans.
type Aggregation struct {
	By merge.Aggregation // default combine
	// Folder holds the model of stacking. In a file it is relative to the file's folder.
	Folder string
	// Sums are the SHA-256 of the folder's files, in hexadecimal, by name.
	Sums map[string]string
	// RecallFloor is the least share that the model keeps of the words with PHI that votes
	// would find, as measured when it was trained; 0: what it was trained for.
	RecallFloor float64
}

// The lowest and the highest floor that can be asked for.
const (
	LowestRecallFloor  = 0.5
	HighestRecallFloor = 1.0
)

// readAggregation reads a word, or a mapping where stacking needs to say more.
func (a *Aggregation) read(n node) {
	ways := merge.Aggregations()
	if !n.isMapping() {
		oneOf("aggregation", &a.By, ways...)(n)
		if a.By == merge.ByStacking {
			n.fail("say which model decides: aggregation: {by: stacking, folder: /opt/models/NAME, sha256: {…}}")
		}
		return
	}
	n.setters(map[string]func(node){
		"by":           oneOf("aggregation", &a.By, ways...),
		"folder":       text(&a.Folder),
		"sha256":       sums(&a.Sums),
		"recall_floor": decimal(&a.RecallFloor, LowestRecallFloor, HighestRecallFloor),
	})
	stacking := a.By == merge.ByStacking
	switch {
	case a.By == "":
		n.fail("say which way: by: %s", list(ways))
	case !stacking && (a.Folder != "" || a.Sums != nil || a.RecallFloor != 0):
		n.fail("folder, sha256 and recall_floor are for by: %s", merge.ByStacking)
	case stacking && a.Folder == "":
		n.fail("say where the model is: folder: /opt/models/NAME")
	case stacking && len(a.Sums) == 0:
		n.fail("say the SHA-256 of the model's files: 'pgdeid models verify FOLDER' prints the lines")
	}
}

// essence is of an aggregation what decides the output; nil where it is the default.
func (a *Aggregation) essence() any {
	switch a.By {
	case "", merge.ByCombination:
		return nil
	case merge.ByStacking:
		return []any{a.By, a.Sums, a.RecallFloor}
	default:
		return []any{a.By}
	}
}
