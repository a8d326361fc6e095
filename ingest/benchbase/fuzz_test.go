package benchbase

import (
	"testing"

	"noisefloor/ingest/internal/scantest"
)

func FuzzScan(f *testing.F) { scantest.FuzzTool(f, Tool, summary, oneLine, oltpbench) }

func TestAnyText(t *testing.T) { scantest.CheckTool(t, Tool, summary, oltpbench) }
