// What the recorded texts in this folder ran: C++ functions with arguments,
// templates, a lambda, an anonymous namespace, a thread with a blank in its name.
#include <functional>
#include <pthread.h>
#include <stdio.h>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>
static volatile unsigned long sink;
namespace inner {
__attribute__((noinline)) unsigned long hidden(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i * i; return sink + 1; }
}
template <typename T> __attribute__((noinline)) T work(T n, const std::string &s) { return inner::hidden(n) + s.size(); }
struct Table { virtual unsigned long scan(int rows) const; };
__attribute__((noinline)) unsigned long Table::scan(int rows) const { return work<unsigned long>(rows, "x") + 1; }
__attribute__((noinline)) unsigned long apply(const std::function<unsigned long(int)> &f, int n) { return f(n) + 1; }
static void *thread(void *name) {
	prctl(PR_SET_NAME, name);
	Table t;
	for (int i = 0; i < 40; i++) sink += apply([&t](int n) { return t.scan(n) + 1; }, 1000000);
	for (int i = 0; i < 3000; i++) sink += getppid();
	return nullptr;
}
int main() {
	pthread_t a, b;
	pthread_create(&a, nullptr, thread, (void *)"io thread");
	pthread_create(&b, nullptr, thread, (void *)"ib_io: rd/0");
	pthread_join(a, nullptr);
	pthread_join(b, nullptr);
	FILE *f = fopen("/proc/self/status", "r");
	if (f) fclose(f);
	printf("%lu\n", sink);
}
