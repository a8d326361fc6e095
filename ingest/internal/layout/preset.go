package layout

import (
	"slices"
	"strings"
)

// Preset is a layout that is known by name: --layout percona-2026.
type Preset struct {
	Name, Doc string
	templates []string
}

// Presets are the folder layouts of published collections and of harnesses.
var Presets = []Preset{
	{"percona-2026", "<build>/<version>/run1_Tier12G_RW_16th.sysbench.txt",
		[]string{`^(?:.*/)?(?P<build>[^/]+)/(?P<version>[^/]+)/run(?P<rep>\d+)_Tier(?P<pool>[^_/]+)_(?P<mode>[^_/]+)_(?P<threads>\d+)th\.sysbench\.txt(?:\.\w+)?$`}},
	{"percona-2020", "res-tpcc-<series>-2020-07-16-15-30/<build>.BP140.NVMe.io15000/res.thr56txt, or res-<build>-tpcc-NVME-BP25GB-2020-07-29-08-59/io15000/...",
		[]string{`^(?:.*/)?res-tpcc-(?P<series>[^/]*?)-?(?P<session>(?P<day>20\d\d-\d\d-\d\d)-\d\d-\d\d)/(?P<build>[^/]+?)(?:[.-]BP(?P<pool>[^./]+))?(?:\.lru(?P<lru>\d+))?(?:\.(?P<storage>[A-Z][^./]*))?(?:\.io(?P<io_capacity>\d+))?(?:/[^/]+)*/res\.?thr(?P<threads>\d+)\.?txt$`,
			`^(?:.*/)?res-(?P<build>[^/]+?)(?:-BP(?P<pool>\d+)(?:GB)?)?(?:-(?P<storage>NVM[Ee]|SSD))?-tpcc(?:-(?P<storage>NVM[Ee]|SSD))?(?:-BP(?P<pool>\d+)(?:GB)?)?-(?P<session>(?P<day>20\d\d-\d\d-\d\d)-\d\d-\d\d)/(?:io(?P<io_capacity>\d+)|lru(?P<lru>\d+))/res\.?thr(?P<threads>\d+)\.?txt$`}},
	{"percona-2016", "res-<series>/<build>.BP196/thr84/res.txt",
		[]string{`^(?:.*/)?res-(?P<series>[^/]+)/(?P<build>[^/]+?)\.BP(?P<pool>[^/]+)/thr(?P<threads>\d+)/res\.txt$`}},
	{"hgxl64", "series15/res04/sysbench.ro.32.res",
		[]string{`^(?:.*/)?series(?P<series>\d+)/res(?P<rep>\d+)/sysbench(?:\.(?P<workload>[A-Za-z][^/]*?))?\.(?P<threads>\d+)\.res$`}},
	{"mdcallag", "x.<build>.<cnf>_c32r128.pk1/sb.o.<test>.range100.pk1.dop40",
		[]string{`^(?:.*/)?x\.(?P<build>[^/.]+)\.(?P<cnf>[^/]+?)_(?P<machine>c\d+r\d+)\.pk(?P<pk>\d+)/sb\.(?:o|met)\.(?P<workload>[^/]+?)\.range(?P<range_size>\d+)\.pk\d+\.dop(?P<threads>\d+)$`}},
	{"tusamarco", "<suite>_2024-05-31_16_21.txt, factors from the META lines inside",
		[]string{`^(?:.*/)?(?P<suite>[^/]+?)_(?P<day>20\d\d-\d\d-\d\d)[^/]*\.txt$`}},
	{"bmk-kit", "sb11-OLTP_RO_10M_8tab-pareto-p_sel1-notrx-socket.sh-<handler>.txt, or <yyyymmddHHMMSS>_<users>_<secs>_<i>_out, whose clients are summed",
		[]string{`^(?:.*/)?sb\d+-(?P<workload>[A-Za-z]+(?:_[A-Za-z]+)*)_(?P<rows>\d+[KMG])_(?P<tables>\d+)tab-(?P<rand_type>[A-Za-z]+)-(?P<options>[^/]+?)\.sh(?:-(?P<handler>[^/]+?))?(?:\.txt)?$`,
			`^(?:.*/)?(?P<started_at>20\d{12})_(?P<users>\d+)_(?P<seconds>\d+)_(?P<client>\d+)_out$`}},
	{"tpcc-framework", "run_20260405_001738_vu64_3600s_<label>/result.txt",
		[]string{`^(?:.*/)?run_(?P<started_at>20\d{6}_\d{6})_vu(?P<threads>\d+)_(?P<seconds>\d+)s_(?:BP ?(?P<pool>\d+[KMGT]?)B?[ _-]*)?(?P<label>[^/]+)?/(?:result|summary|hammerdb|output)[^/]*$`}},
}

// Expand gives the templates of presets in their place.
func Expand(layouts []string) []string {
	var all []string
	for _, l := range layouts {
		i := slices.IndexFunc(Presets, func(p Preset) bool { return strings.EqualFold(p.Name, l) })
		if i < 0 {
			all = append(all, l)
			continue
		}
		all = append(all, Presets[i].templates...)
	}
	return all
}
