package datasets
import ("testing";"fmt")
func BenchmarkCommit(b *testing.B) {
	dir := b.TempDir()
	i := 0
	for b.Loop() { addTo(b, dir, testBatch(fmt.Sprintf("%04d.log", i%10), 2)); i++; if i%10==0 {dir=b.TempDir()} }
}
