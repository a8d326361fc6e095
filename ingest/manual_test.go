package ingest

import (
	"os"
	"strings"
	"testing"
)

// docs/formats.md names every tool and every kind that a file is told to be.
func TestManualNamesEveryFormat(t *testing.T) {
	text, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ToLower(string(text))
	names := Tools()
	for _, k := range known {
		names = append(names, string(k.kind))
	}
	for _, k := range append([]kind{perfData, pprofProfile, metadata, variables, serverSummary, optionFile, hostFile, machineFile, timeReport, otherStalk}, serverKinds...) {
		names = append(names, string(k))
	}
	for _, name := range names {
		if !strings.Contains(page, strings.ToLower(name)) {
			t.Errorf("docs/formats.md does not name %q", name)
		}
	}
}
