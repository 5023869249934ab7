module pay.example/testdb

go 1.19

require (
	github.com/lib/pq v1.10.7
	pay.example/pay v0.1.0
)

// Debian's golang-github-lib-pq-dev: nothing is downloaded.
replace github.com/lib/pq => /usr/share/gocode/src/github.com/lib/pq

replace pay.example/pay => ../
