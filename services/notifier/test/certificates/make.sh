#!/bin/sh
# Makes the certificates of the TLS cases anew (OpenSSL 3): an authority of the tests' own and what it signed, good for a
# hundred years, and one that ended long ago. The keys protect nothing.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
touch "$work/index.txt"
cat > "$work/ca.cnf" <<CNF
[ca]
default_ca = tests
[tests]
database = $work/index.txt
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
CNF
openssl req -x509 $key -keyout "$work/authority.key" -out authority.pem -subj '/CN=Tests only' -days 36500
sign() { # file, host, from, until
  openssl req $key -keyout "$1.key" -out "$work/$1.csr" -subj "/CN=$2" -addext "subjectAltName=DNS:$2"
  openssl ca -batch -notext -config "$work/ca.cnf" -cert authority.pem -keyfile "$work/authority.key" \
    -in "$work/$1.csr" -out "$1.pem" -startdate "$3" -enddate "$4"
}
sign good shop.example 20260101000000Z 21260101000000Z
sign expired shop.example 20200101000000Z 20200201000000Z
sign other-name other.example 20260101000000Z 21260101000000Z
openssl req -x509 $key -keyout self-signed.key -out self-signed.pem -subj '/CN=shop.example' \
  -addext 'subjectAltName=DNS:shop.example' -days 36500
rm -r "$work"
