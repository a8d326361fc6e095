/* What was recorded here. Static and without a C library, so that the ELF file
 * that gives the names is small:
 *   gcc -O1 -fno-omit-frame-pointer -fno-inline -static -nostdlib -o root/usr/local/bin/tiny tiny.c
 */
static volatile unsigned long sink;
__attribute__((noinline)) static void leaf(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i * i; }
__attribute__((noinline)) static void scan(unsigned long n) { leaf(n); sink++; }
__attribute__((noinline)) static void sort(unsigned long n) { leaf(n / 2); scan(n / 2); sink++; }
void _start(void) {
	for (int i = 0; i < 60; i++) { scan(1000000); sort(1000000); }
	__asm__ volatile("syscall" : : "a"(60), "D"(0));
	__builtin_unreachable();
}
