package ingest

import "testing"

// Names in Chinese and in German say what names in English do.
func TestOtherLanguages(t *testing.T) {
	checkFactors(t, map[string]string{
		"3月2日/优化前_8线程_读写.log": "log 8", "3月2日/优化后_8线程_读写.log": "log 8",
		"3月3日/优化前_8线程_读写.log": "log 8", "3月3日/优化后_8线程_读写.log": "log 8",
	}, Options{}, map[string]string{"3月2日/优化前_8线程_读写.log": "threads=8 workload=read_write day=03-02 path1=优化前"})
	checkFactors(t, map[string]string{
		"Montag/Prüfung groß (8 Threads).txt": "log 8", "Montag/Prüfung klein (8 Threads).txt": "log 8",
		"Dienstag/Prüfung groß (8 Threads).txt": "log 8", "Dienstag/Prüfung klein (8 Threads).txt": "log 8",
	}, Options{}, map[string]string{"Montag/Prüfung groß (8 Threads).txt": "threads=8 day=Montag path1=groß"})
}
