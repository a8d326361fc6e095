package secret

import (
	"os"
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	for _, name := range []string{"password", "mysql-password", "MYSQL_PWD", "db_pass", "token", "github_token", "client_secret", "ssl_key",
		"aws_access_key_id", "caching_sha2_password_rsa_public_key", "apiKey", "admin_ssl_key", "AWS_SECRET_ACCESS_KEY", "wsrep_sst_auth",
		"SSHPASS", "PGPASSWORD", "basic_auth", "session.cookie", "jwt", "accessToken", "AccountKey", "encrypt-key", "root_pw", "pg_superuserpass", "password1", "X-Amz-Signature", "$pass", "pw1", "pass-phrase", "file_key_management_filekey", "s3_access_key", "пароль"} {
		if !Name(name) {
			t.Errorf("%s: not taken for a secret", name)
		}
	}
	for _, name := range []string{"", "threads", "innodb_ft_min_token_size", "key_buffer_size", "foreign_key_checks", "bypass", "passes", "keys", "tokenizer", "monkey",
		"password_history", "validate_password.length", "default_password_lifetime", "old_passwords", "caching_sha2_password_digest_rounds", "max_tokens", "auth", "public_key_retrieval", "secretName", "password_type", "keyspace", "tokens/s", "license", "signature"} {
		if Name(name) {
			t.Errorf("%s: taken for a secret", name)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"sysbench oltp --mysql-password=hunter2 --threads=8 run":                        "sysbench oltp --mysql-password=(removed) --threads=8 run",
		"sysbench --mysql-password='a b' run":                                           "sysbench --mysql-password=(removed) run",
		"tool --password hunter2 --host h":                                              "tool --password (removed) --host h",
		"tool --password --host h":                                                      "tool --password --host h",
		"mysql -u root -phunter2 -e 'select 1'":                                         "mysql -u root -p(removed) -e 'select 1'",
		"mysql --protocol tcp -p -h h":                                                  "mysql --protocol tcp -p -h h",
		"gcc -pthread a.c":                                                              "gcc -pthread a.c",
		"mysql -P3306 -h h":                                                             "mysql -P3306 -h h",
		"export MYSQL_PWD=hunter2; go":                                                  "export MYSQL_PWD=(removed); go",
		`{"db_password": "hunter2", "n": 1}`:                                            `{"db_password": (removed), "n": 1}`,
		"mysql://root:hunter2@db:3306/sbtest":                                           "mysql://root:(removed)@db:3306/sbtest",
		"CREATE USER x IDENTIFIED BY 'hunter2'":                                         "CREATE USER x IDENTIFIED BY (removed)",
		"SET PASSWORD FOR 'a'@'b' = PASSWORD('hunter2')":                                "SET PASSWORD FOR 'a'@'b' = PASSWORD((removed))",
		"SET PASSWORD FOR a = 'hunter2'":                                                "SET PASSWORD FOR a = (removed)",
		"Access denied for user 'a'@'b' (using password: YES)":                          "Access denied for user 'a'@'b' (using password: YES)",
		"mysql: [Warning] Using a password on the command line can be insecure.":        "mysql: [Warning] Using a password on the command line can be insecure.",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\nthreads": "(removed)\nthreads",
		"DB_PASS: hunter2":                                                              "DB_PASS: (removed)",
		"SSHPASS=hunter2 run":                                                           "SSHPASS=(removed) run",
		"secret_key=hunter2":                                                            "secret_key=(removed)",
		"innodb_ft_min_token_size=3 passes: 4":                                          "innodb_ft_min_token_size=3 passes: 4",
		"diset tpcc maria_pass hunter2":                                                 "diset tpcc maria_pass (removed)",
		"Using password 'hunter2'":                                                      "Using password (removed)",
		"FATAL: cannot connect with password hunter2":                                   "FATAL: cannot connect with password (removed)",
		"SET PASSWORD='hunter2":                                                         "SET PASSWORD=(removed)",
		"Authorization: Bearer hunter2hunter2":                                          "Authorization: Bearer (removed)",
		`curl -H "Authorization: Basic aHVudGVyMg==" x`:                                 `curl -H "Authorization: Basic (removed)" x`,
		"curl -u admin:hunter2 http://x/":                                               "curl -u admin:(removed) http://x/",
		"root:hunter2@tcp(db1:3306)/sbtest":                                             "root:(removed)@tcp(db1:3306)/sbtest",
		"dsn=root:hunter2@db1:3306/sbtest":                                              "dsn=root:(removed)@db1:3306/sbtest",
		"-uroot -phunter2":                                                              "-uroot -p(removed)",
		"tpcc_start -h db1 -P3306 -u root -phunter2 -w10":                               "tpcc_start -h db1 -P3306 -u root -p(removed) -w10",
		"sysbench -phunter2 run":                                                        "sysbench -p(removed) run",
		"ghp_0123456789abcdefghij is the key":                                           "(removed) is the key",
		"AKIAIOSFODNN7EXAMPLE":                                                          "(removed)",
		"12:30:45 user@db1 said":                                                        "12:30:45 user@db1 said",
		"[ 1s ] thds: 4 tps: 953.36":                                                    "[ 1s ] thds: 4 tps: 953.36",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q:\ngot  %q\nwant %q", in, got, want)
		}
		if again := Clean(Clean(in)); again != Clean(in) {
			t.Errorf("%q: cleaning twice gives %q", in, again)
		}
	}
}

// forms are lines as clients, servers, shells and harnesses write them, one a line, with
// the line breaks inside of them as shown.
func forms(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// In whatever form a password stands, no part of it is left, and cleaning twice is
// cleaning once.
func TestForms(t *testing.T) {
	for _, line := range append(forms(t, "secrets.txt"), "sysbench \x1b[1m--mysql-password\x1b[0m=\x1b[32mhunter2\x1b[0m run") {
		line = strings.ReplaceAll(line, "⏎", "\n")
		for what, clean := range map[string]func(string) string{"Clean": Clean, "CleanCommand": CleanCommand} {
			got := clean(line)
			if strings.Contains(strings.ToLower(got), "hunter") {
				t.Errorf("%s(%q) leaves %q", what, line, got)
			}
			if again := clean(got); again != got {
				t.Errorf("%s(%q) gives %q, then %q", what, line, got, again)
			}
			if rest := strings.ReplaceAll(got, Removed, ""); len(line) > 40 && len(rest) < len(line)/5 && !strings.Contains(line, "PRIVATE KEY") {
				t.Errorf("%s(%q) takes too much: %q", what, line, got)
			}
		}
	}
}

// A line may be the rest of what the lines above it began, or nothing of the kind.
func TestBelow(t *testing.T) {
	for _, c := range [][3]string{
		{"sysbench oltp_read_only --mysql-password \\", "  hunter2 --threads=8 run", "(removed) --threads=8 run"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIEhunter2", "hunter2", "(removed)"},
		{"passwords:\n  root: hunter2", "  bench: hunter2", "(removed)"},
		{`"--mysql-password",`, `"hunter2",`, "(removed),"},
		{"- name: MYSQL_PWD", "  value: hunter2", "(removed)"},
		{"Enter password:", "[ 1s ] thds: 4 tps: 953.36", "[ 1s ] thds: 4 tps: 953.36"},
		{"tool: unknown option --mysql-password", "FATAL: nothing done", "FATAL: nothing done"},
		{"mysql -uroot -phunter2 \\", "  -e 'select 1'", "  -e 'select 1'"},
		{"", "IDENTIFIED BY 'hunter2'", "IDENTIFIED BY (removed)"},
	} {
		if got := CleanBelow(c[0], c[1]); got != c[2] {
			t.Errorf("%q below %q: %q, want %q", c[1], c[0], got, c[2])
		}
	}
}

func TestInnocent(t *testing.T) {
	for _, line := range forms(t, "innocent.txt") {
		if got := Clean(line); got != line {
			t.Errorf("%q became %q", line, got)
		}
		if got := CleanCommand(line); got != line {
			t.Errorf("as a command %q became %q", line, got)
		}
	}
}

// Tokens that tell by their shape; put together here, so that nobody's scanner finds one.
func TestShapes(t *testing.T) {
	const body = "hunter2abcdefghijklmnopqrstuvwxyz"
	for _, begin := range []string{"ghp", "github_pat", "npm", "hf", "dop_v1", "sk_live"} {
		checkShape(t, begin+"_"+body)
	}
	for _, begin := range []string{"glpat", "xoxb", "sk", "pypi"} {
		checkShape(t, begin+"-"+body)
	}
	for _, token := range []string{"hvs." + body, "SG." + body + "." + body, "ya29." + body, "AIza" + body, "eyJ" + body + "." + body + ".x", "hooks.slack.com/services/" + body} {
		checkShape(t, token)
	}
}

func checkShape(t *testing.T, token string) {
	t.Helper()
	for _, around := range []string{"%", "using % for the clone", "day1/run_of_%.log", "a:%;b"} {
		if got := Clean(strings.ReplaceAll(around, "%", token)); strings.Contains(got, "hunter2") {
			t.Errorf("%s: %q", around, got)
		}
	}
}

// A long line of what may be secrets is cleaned in a time that grows with its length:
// with its square this would take minutes.
func TestLong(t *testing.T) {
	for _, s := range []string{"mysql -p x1 ", "-u -p 1 ", "password=x ", `password: "x `, "token={{{ ", "user:x@db1:3306/x ", "identified by x ",
		"password:\n  x\n", "pass from x to ", "user=x:y ", "redis-cli -a ", "echo x ", "db1:5432:a:b:", "-----BEGIN PRIVATE KEY-----", `password\\\"x `, "set x ", "password for x "} {
		text := strings.Repeat(s, (128<<10)/len(s))
		Clean(text)
		CleanCommand(text)
	}
}
