package main

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

func TestVersionTellsModels(t *testing.T) {
	out, _, err := commandtest.Families{versionCommands}.Run(t, "", "version", "--json")
	var got struct{ Models []models.Info }
	if jsonErr := json.Unmarshal([]byte(out), &got); err != nil || jsonErr != nil {
		t.Fatalf("%v, %v", err, jsonErr)
	}
	plan, err := models.NewPlan([]config.Model{{Default: true}}, nil)
	if err != nil || len(got.Models) != len(plan.Models()) {
		t.Fatalf("%d models, %v", len(got.Models), err)
	}
	for i, m := range plan.Models() {
		if g := got.Models[i]; g.Name != m.Name || !maps.Equal(g.Sums, m.Sums) || !g.Default {
			t.Errorf("%+v, want %+v", g, m)
		}
	}
}
