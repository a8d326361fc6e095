package secret

import "testing"

func TestName(t *testing.T) {
	for _, name := range []string{"password", "mysql-password", "MYSQL_PWD", "db_pass", "token", "github_token", "client_secret", "ssl_key",
		"aws_access_key_id", "caching_sha2_password_rsa_public_key", "apiKey", "admin_ssl_key", "AWS_SECRET_ACCESS_KEY", "wsrep_sst_auth"} {
		if !Name(name) {
			t.Errorf("%s: not taken for a secret", name)
		}
	}
	for _, name := range []string{"", "threads", "innodb_ft_min_token_size", "key_buffer_size", "foreign_key_checks", "bypass", "passes", "keys", "tokenizer", "monkey"} {
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

// What the cheap test lets pass holds no secret.
func TestHarmless(t *testing.T) {
	for _, text := range []string{"passw", "PASSPHRASE", "pwd", "PWD", "Secret", "tOKen", "KEY", "Identified", "mysql://", "x -p", "x\t-P", "to\u212aen", "\u017fecret"} {
		if harmless(text) {
			t.Errorf("%q: taken for harmless", text)
		}
	}
	for _, text := range []string{"", "day001/run17_128th.log", "2026-01-31_oltp_read_only_8th.log.gz", "a: b - c"} {
		if !harmless(text) {
			t.Errorf("%q: taken for suspicious", text)
		}
	}
}
