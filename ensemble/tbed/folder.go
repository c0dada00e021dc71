package tbed

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// Files returns the files of a model's folder that [Load] reads.
func (l Learned) Files() (map[string][]byte, error) {
	config, err := json.MarshalIndent(Config{ModelType: ModelType, Features: features.Version}, "", "  ")
	if err != nil {
		return nil, err
	}
	var rules bytes.Buffer
	notes := fmt.Sprintf(`
Each line changes the tags of the tokens at which all its conditions hold; lines are
applied from top to bottom. The numbers after # are the tags that it corrected and broke in
training. The first %d are the initial annotator's, which starts from what the
patterns find. [0] is the token, [-1] the one before it, [1] the one after it; edge is
a position beyond the sentence. Lines can be changed, added and removed: then list the
new SHA-256 of this file.`, l.Initial)
	if err := WriteRules(&rules, l.Rules, notes); err != nil {
		return nil, err
	}
	return map[string][]byte{ConfigFile: append(config, '\n'), RulesFile: rules.Bytes()}, nil
}
