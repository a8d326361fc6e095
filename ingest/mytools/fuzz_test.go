package mytools

import (
	"testing"

	"noisefloor/ingest/internal/scantest"
)

func FuzzScan(f *testing.F) { scantest.FuzzTool(f, Tool, tables...) }

func FuzzScanInsert(f *testing.F) { scantest.FuzzTool(f, Insert, logs...) }

func TestAnyText(t *testing.T) {
	scantest.CheckTool(t, Tool, tables...)
	scantest.CheckTool(t, Insert, logs...)
}
