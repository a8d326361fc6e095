package secret

import "testing"

func TestName(t *testing.T) {
	for _, name := range []string{"password", "mysql-password", "MYSQL_PWD", "db_pass", "token", "github_token", "client_secret", "ssl_key",
		"aws_access_key_id", "caching_sha2_password_rsa_public_key", "apiKey", "admin_ssl_key", "AWS_SECRET_ACCESS_KEY", "wsrep_sst_auth",
		"SSHPASS", "PGPASSWORD", "basic_auth", "session.cookie", "jwt"} {
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

// What the cheap test lets pass holds no secret.
func TestHarmless(t *testing.T) {
	for _, text := range []string{"passw", "PASSPHRASE", "pwd", "PWD", "Secret", "tOKen", "KEY", "Identified", "mysql://", "x -p", "x\t-P", "to\u212aen", "\u017fecret", "db_pass=", "Bearer", "Authorization", "a:b@c", "ghp_", "glpat-", "xoxb-", "eyJ", "sk-", "AKIA", "ASIA", "x -u"} {
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
