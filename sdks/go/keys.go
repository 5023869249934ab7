package pay

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

const sshType = "ssh-ed25519"

// The text of a file without spaces around, and without the byte order mark that some editors put before it.
func trimmed(text string) string {
	return strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF"))
}

func readPrivateKey(text string) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode([]byte(trimmed(text)))
	if block == nil {
		return nil, errors.New("pay: the private key is neither a PKCS#8 PEM nor an OpenSSH private key")
	}
	switch block.Type {
	case "PRIVATE KEY":
		key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("pay: this PKCS#8 key is corrupt: %w", err)
		}
		if own, isEd25519 := key.(ed25519.PrivateKey); isEd25519 {
			return own, nil
		}
		return nil, fmt.Errorf("pay: this is a %T; the API accepts Ed25519 only", key)
	case "OPENSSH PRIVATE KEY":
		return readOpenSSH(block.Bytes)
	case "ENCRYPTED PRIVATE KEY":
		return nil, errors.New("pay: this PKCS#8 key is encrypted: `openssl pkcs8 -in FILE -out NEW` removes the passphrase")
	}
	return nil, fmt.Errorf("pay: this is a %s; the API accepts Ed25519 keys as PKCS#8 or OpenSSH", block.Type)
}

// Source: OpenSSH, PROTOCOL.key.
func readOpenSSH(blob []byte) (ed25519.PrivateKey, error) {
	magic := []byte("openssh-key-v1\x00")
	if !bytes.HasPrefix(blob, magic) {
		return nil, errCorruptKey
	}
	outer := &sshReader{rest: blob[len(magic):]}
	if cipher := string(outer.text()); cipher != "none" && outer.err == nil {
		return nil, errors.New("pay: this OpenSSH key is encrypted: `ssh-keygen -p -N \"\" -f COPY` removes the passphrase of a copy")
	}
	outer.text() // The key derivation function and its options: none, because the cipher is none.
	outer.text()
	if count := outer.number(); count != 1 && outer.err == nil {
		return nil, errors.New("pay: this OpenSSH file must hold exactly one key")
	}
	outer.text() // The public key, which is repeated below.
	inner := &sshReader{rest: outer.text(), err: outer.err}
	areEqual := inner.number() == inner.number()
	if own := string(inner.text()); own != sshType && inner.err == nil {
		return nil, fmt.Errorf("pay: this is a key of type %s; the API accepts %s only", own, sshType)
	}
	public, secret := inner.text(), inner.text()
	if inner.err != nil {
		return nil, inner.err
	}
	if !areEqual || len(secret) != ed25519.PrivateKeySize {
		return nil, errCorruptKey
	}
	if !bytes.Equal(public, secret[ed25519.SeedSize:]) {
		return nil, errCorruptKey
	}
	return ed25519.NewKeyFromSeed(secret[:ed25519.SeedSize]), nil
}

var errCorruptKey = errors.New("pay: this OpenSSH key is corrupt")

// SSH's wire format: four-byte numbers, and texts prefixed with their length. After an error everything is empty.
type sshReader struct {
	rest []byte
	err  error
}

func (r *sshReader) take(length uint32) []byte {
	if r.err != nil || uint64(length) > uint64(len(r.rest)) {
		r.err = errors.New("pay: this OpenSSH key is truncated")
		return nil
	}
	taken := r.rest[:length]
	r.rest = r.rest[length:]
	return taken
}

func (r *sshReader) number() uint32 {
	if taken := r.take(4); taken != nil {
		return binary.BigEndian.Uint32(taken)
	}
	return 0
}

func (r *sshReader) text() []byte {
	return r.take(r.number())
}

func openSSHLine(key ed25519.PublicKey) string {
	var blob []byte
	for _, text := range [][]byte{[]byte(sshType), key} {
		blob = binary.BigEndian.AppendUint32(blob, uint32(len(text)))
		blob = append(blob, text...)
	}
	return sshType + " " + base64.StdEncoding.EncodeToString(blob)
}
