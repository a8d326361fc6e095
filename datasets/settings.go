package datasets

import (
	"fmt"
	"hash/maphash"
)

// settingGroup is the unit in which settings are replaced: what one source says
// about one run, or about none.
type settingGroup struct {
	run, source string
}

// settingRows is a group with its settings, in the order given.
type settingRows struct {
	group settingGroup
	rows  []Setting
	hash  uint64
}

// settingIndex remembers a hash of each group's settings.
type settingIndex struct {
	seed   maphash.Seed
	groups map[uint64]uint64 // hash of the group -> hash of its settings
}

// has tells whether the group is there with just these settings.
func (x *settingIndex) has(s settingRows) bool {
	hash, known := x.groups[x.key(s.group)]
	return known && hash == s.hash
}

func (x *settingIndex) key(g settingGroup) uint64 { return maphash.Comparable(x.seed, g) }

// next adds a setting to the hash of its group. The order counts.
func (x *settingIndex) next(sum uint64, s *Setting) uint64 {
	type step struct {
		sum         uint64
		name, value string
	}
	return maphash.Comparable(x.seed, step{sum, s.Name, s.Value})
}

// groupSettings sorts the settings of a batch into groups. The first call reads
// the settings of the data set, which most ingests of plain logs never need.
func (w *Writer) groupSettings(all []Setting) ([]settingRows, error) {
	if len(all) == 0 {
		return nil, nil
	}
	if w.settingIndex == nil {
		if err := w.loadSettingIndex(); err != nil {
			return nil, err
		}
	}
	var groups []settingRows
	at := map[settingGroup]int{}
	for _, s := range all {
		s = Setting{RunID: s.RunID, Source: validText(s.Source), Name: validText(s.Name), Value: validText(s.Value)}
		g := settingGroup{s.RunID, s.Source}
		i, known := at[g]
		if !known {
			i = len(groups)
			at[g] = i
			groups = append(groups, settingRows{group: g})
		}
		groups[i].rows = append(groups[i].rows, s)
		groups[i].hash = w.settingIndex.next(groups[i].hash, &s)
	}
	return groups, nil
}

func (w *Writer) loadSettingIndex() error {
	x := &settingIndex{seed: maphash.MakeSeed(), groups: map[uint64]uint64{}}
	w.settingIndex = x
	return w.withParts(settingsTable, func(parts []*partFile) error {
		return eachRow(parts, settingsLayout, (*view).setting, func(rows []Setting) error {
			for i := range rows {
				key := x.key(settingGroup{rows[i].RunID, rows[i].Source})
				x.groups[key] = x.next(x.groups[key], &rows[i])
			}
			return nil
		})
	})
}

// addSettings stages the groups that are new or have changed.
func (w *Writer) addSettings(groups []settingRows, in *incoming) error {
	for _, s := range groups {
		r := in.runs[s.group.run]
		if s.group.run != "" && r == nil && !w.HasRun(s.group.run) {
			return fmt.Errorf("datasets: the batch has settings of run %q but not the run", s.group.run)
		}
		// A fresh run has no settings yet, whatever the index remembers of a
		// run of that ID that was replaced.
		key := w.settingIndex.key(s.group)
		if fresh := r != nil && r.fresh; !fresh {
			if w.settingIndex.has(s) {
				continue
			}
			if _, known := w.settingIndex.groups[key]; known {
				w.droppedSettings[s.group] = true
			}
		}
		w.settingIndex.groups[key] = s.hash
		w.stagedSettings[s.group] = true
		for i := range s.rows {
			if err := w.settings.addSetting(&s.rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
