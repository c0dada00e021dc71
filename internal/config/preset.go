package config

import (
	"embed"
	"errors"
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/internal/fault"
)

//go:embed presets/*.yaml
var presets embed.FS

// Presets lists the names of the presets.
func Presets() []string {
	entries, err := presets.ReadDir("presets")
	if err != nil { // the files are part of the program
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Preset returns a configuration file for a common schema, with made-up hosts.
func Preset(name string) ([]byte, error) {
	data, err := presets.ReadFile("presets/" + name + ".yaml")
	if err != nil || strings.ContainsAny(name, `/\`) {
		return nil, fault.New("read preset "+short(name), errors.New("there is no such preset"), fmt.Sprintf("one of %s", strings.Join(Presets(), ", ")))
	}
	return data, nil
}
