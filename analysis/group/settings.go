package group

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"noisefloor/datasets"
)

// SettingsFrom is the column of runs that names the source of their settings.
const SettingsFrom = "settings_from"

// settingPrefix says that a name is meant as a server setting, where a factor is
// called the same.
const settingPrefix = "setting:"

// fromSettings is how such a factor says that it was found.
const fromSettings = "server setting"

// Settings makes factors of the server settings that the options name: each run
// has the value that its variables, or else its my.cnf, give. A name that is a
// factor or a built-in column already is that, and needs the prefix setting: to be
// the setting. more are names that are asked for elsewhere. Runs and columns that
// are given stay as they are.
func Settings(runs []datasets.Run, columns []datasets.Column, settings func(yield func([]datasets.Setting) error) error, opt Options, more ...string) ([]datasets.Run, []datasets.Column, error) {
	wanted := map[string]string{} // the factor, by setting
	for _, name := range append(opt.names(), more...) {
		bare, prefixed := strings.CutPrefix(name, settingPrefix)
		known := slices.Contains(builtins, name) || slices.ContainsFunc(columns, func(c datasets.Column) bool { return c.Name == name })
		if name != "" && (prefixed || !known) {
			wanted[settingName(bare)] = name
		}
	}
	if settings == nil {
		return runs, columns, nil
	}
	if opt.By == "" {
		names, err := untold(runs, columns, settings)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range names {
			wanted[settingName(name)] = name
		}
	}
	if len(wanted) == 0 {
		return runs, columns, nil
	}
	used := map[string]bool{}
	for i := range runs {
		used[runs[i].Value(SettingsFrom).String()] = true
	}
	values := map[string]map[string]string{} // by setting and source
	var known []string
	err := settings(func(rows []datasets.Setting) error {
		for _, s := range rows {
			name := settingName(s.Name)
			if s.Source == "" || !used[s.Source] {
				continue
			}
			if values[name] == nil {
				values[name] = map[string]string{}
				known = append(known, name)
			}
			values[name][s.Source] = SpellSetting(s.Value) // the last of two counts
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	runs, columns = slices.Clone(runs), slices.Clone(columns)
	for i := range runs {
		runs[i].Factors = maps.Clone(runs[i].Factors)
		if runs[i].Factors == nil {
			runs[i].Factors = map[string]datasets.Value{}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		factor, of := wanted[name], values[name]
		if of == nil {
			if strings.HasPrefix(factor, settingPrefix) {
				slices.Sort(known)
				return nil, nil, noSetting(name, known)
			}
			var factors []string
			for _, c := range columns {
				factors = append(factors, c.Name)
			}
			if near := Nearest(name, known); factor == opt.By && near != "" && Nearest(factor, append(factors, builtins...)) == "" {
				return nil, nil, fmt.Errorf("no factor and no server setting is called %q; did you mean %q?", factor, near)
			}
			continue // who reads the name says so
		}
		typed := typeSettings(of)
		column := datasets.Column{Name: factor, Role: datasets.Factor, Guess: fromSettings}
		for i := range runs {
			if v, ok := typed[runs[i].Value(SettingsFrom).String()]; ok {
				runs[i].Factors[factor] = v
				column.Kind = v.Kind()
			}
		}
		columns = append(columns, column)
	}
	return runs, columns, nil
}

func noSetting(name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("%s%s: no run has server settings; SHOW GLOBAL VARIABLES or a my.cnf beside the logs gives them", settingPrefix, name)
	}
	text := fmt.Sprintf("%s%s: no run has this server setting, of %d that there are", settingPrefix, name, len(known))
	if near := Nearest(name, known); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return errors.New(text)
}

// names are all that the options may call a factor.
func (o *Options) names() []string {
	names := append([]string{o.By, o.X}, o.Ignore...)
	for _, text := range o.Where {
		names = append(names, strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\"'=!<>~&|()[],", r) })...)
	}
	return names
}

// settingName: my.cnf writes innodb-buffer-pool-size too.
func settingName(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "-", "_")
}

// SpellSetting writes equal numbers in one way: 10 is 10.000000.
func SpellSetting(value string) string {
	if value == "" {
		return "(empty)"
	}
	if v, err := strconv.ParseFloat(value, 64); err == nil && strings.Trim(value, "+-.0123456789") == "" && math.Abs(v) < 1<<53 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return value
}

// typeSettings gives the values of one setting in one type: as numbers, in bytes
// where an option file writes 8G and the server says 8589934592, if all are, and
// ON and OFF for 1 and 0 where others write that.
func typeSettings(of map[string]string) map[string]datasets.Value {
	numbers, words := true, false
	for _, v := range of {
		_, ok := settingNumber(v)
		numbers = numbers && ok
		words = words || strings.EqualFold(v, "ON") || strings.EqualFold(v, "OFF")
	}
	typed := map[string]datasets.Value{}
	for source, v := range of {
		n, isNumber := settingNumber(v)
		switch {
		case numbers && n == math.Trunc(n):
			typed[source] = datasets.Int(int64(n))
		case numbers:
			typed[source] = datasets.Float(n)
		case words && (v == "1" || strings.EqualFold(v, "ON") || strings.EqualFold(v, "TRUE")):
			typed[source] = datasets.Text("ON")
		case words && (isNumber && n == 0 || strings.EqualFold(v, "OFF") || strings.EqualFold(v, "FALSE")):
			typed[source] = datasets.Text("OFF")
		default:
			typed[source] = datasets.Text(v)
		}
	}
	for _, v := range typed { // 0.5 beside 1
		if v.Kind() == datasets.FloatKind {
			for source, w := range typed {
				if f, ok := w.Number(); ok {
					typed[source] = datasets.Float(f)
				}
			}
			break
		}
	}
	return typed
}

// settingNumber reads 8589934592 and 8G, as option files write it.
func settingNumber(text string) (float64, bool) {
	scale := 1.0
	if n := len(text); n > 1 {
		if k := strings.IndexByte("KMGT", text[n-1]&^0x20); k >= 0 {
			scale = math.Pow(1024, float64(k+1))
			text = text[:n-1]
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "+-.0123456789") != "" || math.Abs(f*scale) >= 1<<53 {
		return 0, false
	}
	return f * scale, true
}
