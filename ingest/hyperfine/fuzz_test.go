package hyperfine

import (
	"testing"

	"noisefloor/ingest/internal/scantest"
)

func FuzzScan(f *testing.F) { scantest.FuzzTool(f, Tool, logs...) }

func TestAnyText(t *testing.T) { scantest.CheckTool(t, Tool, logs...) }
