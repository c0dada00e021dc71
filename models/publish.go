package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Publish writes a model to a new folder: its files, whose sums it puts into the card,
// card.json and card.md, and SHA256SUMS as sha256sum prints it. It fails if the folder
// exists.
func Publish(folder string, files map[string][]byte, card Card) error {
	card.Sums = map[string]string{}
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.Sum256(files[name])
		card.Sums[name] = hex.EncodeToString(sum[:])
		fmt.Fprintf(&list, "%s  %s\n", card.Sums[name], name)
	}
	if err := card.check(); err != nil {
		return err
	}
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(card); err != nil {
		return err
	}
	all := maps.Clone(files)
	all[CardFile], all["card.md"], all[SumsFile] = data.Bytes(), []byte(card.markdown()), []byte(list.String())
	if err := os.MkdirAll(filepath.Dir(folder), 0o750); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o750); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := os.WriteFile(filepath.Join(folder, name), all[name], 0o600); err != nil {
			return err
		}
	}
	return nil
}

// markdown returns a card as Markdown.
func (c *Card) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, version %d\n\n%s\n\n* Kind: %s\n* Finished %s\n", c.Name, c.Version, c.Description, c.Kind,
		c.Created.Format("2006-01-02 15:04 MST"))
	if c.Licence != "" {
		fmt.Fprintf(&b, "* Licence: %s\n", c.Licence)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Seeds)) {
		fmt.Fprintf(&b, "* Seed of %s: %d\n", name, c.Seeds[name])
	}
	for _, name := range slices.Sorted(maps.Keys(c.Config)) {
		fmt.Fprintf(&b, "* %s: %s\n", name, c.Config[name])
	}
	b.WriteString("\n## Data\n\n| source | licence | sentences or notes |\n| --- | --- | ---: |\n")
	for _, d := range c.Data {
		fmt.Fprintf(&b, "| %s | %s | %d |\n", d.Source, d.Licence, d.Sentences)
	}
	if len(c.Figures) == 0 {
		return b.String()
	}
	b.WriteString("\n## Figures\n\nBy words, on text that training did not see.\n\n| set | class | type | recall | precision | F1 |" +
		" words |\n| --- | --- | --- | ---: | ---: | ---: | ---: |\n")
	for _, f := range c.Figures {
		fmt.Fprintf(&b, "| %s | %s | %s | %.3f | %.3f | %.3f | %d |\n", f.Set, f.Class, f.Type, f.Recall, f.Precision, f.F1, f.Gold)
	}
	return b.String()
}
