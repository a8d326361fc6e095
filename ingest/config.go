package ingest

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// Config is what the key "noisefloor" of a noisefloor.yaml in a PATH says:
//
//	noisefloor:
//	  layout: "{build}/{version}/run{rep}_{threads}th.log"
//	  map: {allocator: path1}
//	  by: allocator
//	  base: glibc
//	  ignore: [host, "old/**"]
//	  join: ["vmstat.txt=run7.log"]
//	  tz: Asia/Tokyo
//
// layout, map, join and tz are options of an ingest, and so are the entries of ignore
// that are patterns of paths (with "*", "/" or "."); by, base and the other
// entries of ignore, which name factors, are for the analysis. What the caller
// of Run asks for comes before what a file says.
type Config struct {
	Layout []string
	Map    map[string]string // as Options.Map
	By     string
	Base   string
	Ignore []string // names of factors
	Join   []string // as Options.Join
	TZ     string

	paths []string // entries of ignore that are patterns
}

var configNames = []string{"noisefloor.yaml", "noisefloor.yml"}

// ReadConfig reads the noisefloor.yaml of a PATH; found is false if it has none.
func ReadConfig(path string) (c Config, found bool, err error) {
	for _, name := range configNames {
		file := filepath.Join(path, name)
		f, err := os.Open(file)
		if err != nil {
			continue // not there, or the PATH is a file: no configuration
		}
		data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
		f.Close()
		if err == nil {
			c, found, err = parseConfig(data)
		}
		if err != nil {
			return Config{}, false, fmt.Errorf("%s: %w", file, err)
		}
		return c, found, nil
	}
	return Config{}, false, nil
}

const maxConfig = 64 << 10

// anchor: a few of them can be expanded to gigabytes, and nobody needs them here.
var anchor = regexp.MustCompile(`(?m)(?:^|[\s:\[,-])&\w`)

func parseConfig(data []byte) (c Config, found bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the YAML parser gave up: %v", r)
		}
	}()
	switch {
	case len(data) > maxConfig:
		return Config{}, false, fmt.Errorf("longer than %d kB", maxConfig>>10)
	case anchor.Match(data):
		return Config{}, false, errors.New("anchors (&name) are not read here")
	}
	var top map[string]any
	if err := yaml.Unmarshal(data, &top); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return Config{}, false, errors.New(line)
	}
	own, ok := top["noisefloor"]
	if !ok || own == nil {
		return Config{}, false, nil
	}
	keys, ok := own.(map[string]any)
	if !ok {
		return Config{}, false, errors.New("the key noisefloor holds no map")
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		v := keys[key]
		var err error
		switch key {
		case "layout":
			c.Layout, err = texts(v)
		case "ignore":
			var all []string
			all, err = texts(v)
			for _, entry := range all {
				if strings.ContainsAny(entry, "*/.") {
					c.paths = append(c.paths, entry)
				} else {
					c.Ignore = append(c.Ignore, entry)
				}
			}
		case "join":
			c.Join, err = texts(v)
		case "by":
			c.By, err = text(v)
		case "base":
			c.Base, err = text(v)
		case "tz":
			c.TZ, err = text(v)
		case "map":
			pairs, isMap := v.(map[string]any)
			if !isMap {
				err = errors.New("not a map")
				break
			}
			c.Map = map[string]string{}
			for to, column := range pairs { // as --map: the new name first
				var from string
				if from, err = text(column); err != nil {
					break
				}
				c.Map[from] = to
			}
		default:
			err = errors.New("no such key; there are layout, map, by, base, ignore, join and tz")
		}
		if err != nil {
			return Config{}, false, fmt.Errorf("noisefloor: %s: %w", key, err)
		}
	}
	return c, true, nil
}

func text(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case map[string]any, []any:
		return "", errors.New("not a text")
	default:
		return fmt.Sprint(v), nil
	}
}

func texts(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var all []string
	for _, entry := range list {
		t, err := text(entry)
		if err != nil {
			return nil, err
		}
		if t != "" {
			all = append(all, t)
		}
	}
	return all, nil
}

// readConfigs takes the options that the PATHs' own files give where the caller
// gave none. Of several PATHs the first that says something counts.
func (in *ingest) readConfigs(paths []string) error {
	c := &in.summary.Config
	for _, path := range paths {
		if path == "-" {
			continue
		}
		here, found, err := ReadConfig(path)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if c.Layout == nil {
			c.Layout = here.Layout
		}
		if c.Map == nil {
			c.Map = here.Map
		}
		if c.By == "" {
			c.By = here.By
		}
		if c.Base == "" {
			c.Base = here.Base
		}
		if c.TZ == "" {
			c.TZ = here.TZ
		}
		c.Ignore = append(c.Ignore, here.Ignore...)
		c.Join = append(c.Join, here.Join...)
		c.paths = append(c.paths, here.paths...)
		in.note("configured by %s", filepath.ToSlash(filepath.Join(path, "noisefloor.yaml")))
	}
	if len(in.opt.Layout) == 0 {
		in.opt.Layout = c.Layout
	}
	if len(in.opt.Map) == 0 {
		in.opt.Map = c.Map
	}
	in.opt.Ignore = slices.Concat(in.opt.Ignore, c.paths)
	in.opt.Join = slices.Concat(in.opt.Join, c.Join)
	if in.tz == nil && c.TZ != "" {
		tz, err := time.LoadLocation(c.TZ)
		if err != nil {
			return fmt.Errorf("noisefloor: tz: %w", err)
		}
		in.tz, in.tzSaid = tz, true
	}
	return nil
}
