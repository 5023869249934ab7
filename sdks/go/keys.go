package pay

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"regexp"
	"strings"
)

// Keys as people paste them. What is taken, and what each refusal says, is sdks/conformance/keys.json.

const sshType = "ssh-ed25519"

var (
	// DER of an Ed25519 key, up to its 32 bytes. The length of PKCS#8 and its version may differ. Source: RFC 8410 and 5958.
	pkcs8Start = []byte("\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20")
	spkiStart  = []byte("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00")
	// The blob of an OpenSSH line, up to its 32 bytes. Source: RFC 8709, section 4.
	blobStart = []byte("\x00\x00\x00\x0b" + sshType + "\x00\x00\x00\x20")

	openSSHType    = regexp.MustCompile("^(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-|sk-(?:ssh|ecdsa)-)")
	pemBegin       = regexp.MustCompile("-----BEGIN ([A-Z0-9 ]+)-----")
	bareKey        = regexp.MustCompile("^[A-Za-z0-9+/]{43,}={0,2}$")
	writtenLineEnd = regexp.MustCompile(`\\+[nr]`)
	// Editors put a byte order mark before a file, chats put no-break and zero-width spaces into it.
	oddBlanks = strings.NewReplacer("\uFEFF", "", "\u200B", "", "\u00A0", " ")
)

const blanks = " \t\r\n\f\v"

var (
	errNoPair    = errors.New("pay: the public and the private key do not match: give the two of one pair")
	errEncrypted = errors.New("pay: the private key is encrypted: remove the passphrase of a copy with `openssl pkey -in COPY -out NEW` or `ssh-keygen -p -N \"\" -f COPY`")
)

// Which of the two keys is wanted.
type keyHalf struct{ word, give string }

var (
	privateHalf = keyHalf{"private", "give the whole text of the private key file, from BEGIN to END"}
	publicHalf  = keyHalf{"public", "give the whole line that begins with ssh-ed25519"}
)

func (h keyHalf) is(what string) error { return errors.New("pay: the " + h.word + " key " + what) }
func (h keyHalf) cut() error           { return h.is("is cut or damaged: " + h.give) }
func (h keyHalf) none() error          { return errors.New("pay: this is no " + h.word + " key: " + h.give) }

func (h keyHalf) otherAlgorithm() error {
	return h.is("is not an Ed25519 key: make one with `pay keys generate` or `openssl genpkey -algorithm ed25519`")
}

func (h keyHalf) not(given keyHalf) error {
	return errors.New("pay: this is a " + given.word + " key, not the " + h.word + " one: " + h.give)
}

// Why a text without the frame of a key is none.
func (h keyHalf) unframed(text string, words []string) error {
	switch {
	case len(words) == 0:
		return h.is("is empty: " + h.give)
	case strings.Contains(text, "-----BEGIN ") || strings.Contains(text, "-----END "):
		return h.cut()
	case bareKey.MatchString(strings.Join(words, "")):
		return h.is("has lost its frame: " + h.give)
	}
	return h.none()
}

// A private key: PKCS#8 PEM, or OpenSSH's own format. Text around it is left out; a line feed may be written as a backslash
// and an n.
func readPrivateKey(text string) (ed25519.PrivateKey, error) {
	text = plainText(text)
	block := pemBlockOf(text)
	if block == nil {
		words := wordsOf(text)
		for at, word := range words {
			if openSSHType.MatchString(word) && at+1 < len(words) && strings.HasPrefix(words[at+1], "AAAA") {
				return nil, privateHalf.not(publicHalf)
			}
		}
		return nil, privateHalf.unframed(text, words)
	}
	switch label := block.label; {
	case label == "ENCRYPTED PRIVATE KEY":
		return nil, errEncrypted
	case strings.HasSuffix(label, "PUBLIC KEY"):
		return nil, privateHalf.not(publicHalf)
	case !strings.HasSuffix(label, "PRIVATE KEY"):
		return nil, privateHalf.none()
	case label == "OPENSSH PRIVATE KEY":
		return readOpenSSH(decodedKey(block.base64))
	case label != "PRIVATE KEY":
		return nil, privateHalf.otherAlgorithm()
	}
	der := decodedKey(block.base64)
	if !isDER(der) {
		return nil, privateHalf.cut()
	}
	if len(der) < len(pkcs8Start)+ed25519.SeedSize {
		return nil, privateHalf.otherAlgorithm()
	}
	for at, one := range pkcs8Start {
		if at != 1 && at != 4 && der[at] != one {
			return nil, privateHalf.otherAlgorithm()
		}
	}
	return ed25519.NewKeyFromSeed(der[16:48]), nil
}

// The OpenSSH line of a public key without its comment, as requests carry it. An SPKI PEM is taken as well.
func readPublicKey(text string) (string, error) {
	text = plainText(text)
	words := wordsOf(text)
	hasType, hasOther := false, false
	for at, word := range words {
		hasType = hasType || word == sshType
		hasOther = hasOther || openSSHType.MatchString(word)
		if word == sshType && at+1 < len(words) && strings.HasPrefix(words[at+1], "AAAA") {
			blob := decodedKey(words[at+1])
			if len(blob) != len(blobStart)+ed25519.PublicKeySize || !bytes.HasPrefix(blob, blobStart) {
				return "", publicHalf.cut()
			}
			return sshType + " " + words[at+1], nil
		}
	}
	block := pemBlockOf(text)
	switch {
	case block == nil && hasType:
		return "", publicHalf.cut()
	case block == nil && hasOther:
		return "", publicHalf.otherAlgorithm()
	case block == nil:
		return "", publicHalf.unframed(text, words)
	case strings.HasSuffix(block.label, "PRIVATE KEY"):
		return "", publicHalf.not(privateHalf)
	case !strings.HasSuffix(block.label, "PUBLIC KEY"):
		return "", publicHalf.none()
	case block.label != "PUBLIC KEY":
		return "", publicHalf.otherAlgorithm()
	}
	der := decodedKey(block.base64)
	if !isDER(der) {
		return "", publicHalf.cut()
	}
	if !bytes.HasPrefix(der, spkiStart) {
		return "", publicHalf.otherAlgorithm()
	}
	return openSSHLine(der[len(spkiStart):]), nil
}

func plainText(text string) string {
	return oddBlanks.Replace(writtenLineEnd.ReplaceAllString(text, "\n"))
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(letter rune) bool { return strings.ContainsRune(blanks+"\"'`", letter) })
}

type pemBlock struct{ label, base64 string }

// The PEM block, that of a private key if there are several; without base64 if its end is missing.
func pemBlockOf(text string) *pemBlock {
	var begin []int
	for _, one := range pemBegin.FindAllStringSubmatchIndex(text, -1) {
		if begin == nil || strings.HasSuffix(text[one[2]:one[3]], "PRIVATE KEY") && !strings.HasSuffix(text[begin[2]:begin[3]], "PRIVATE KEY") {
			begin = one
		}
	}
	if begin == nil {
		return nil
	}
	label := text[begin[2]:begin[3]]
	inside, _, hasEnd := strings.Cut(text[begin[1]:], "-----END "+label+"-----")
	if !hasEnd {
		inside = ""
	}
	return &pemBlock{label, strings.Join(strings.FieldsFunc(inside, func(letter rune) bool { return strings.ContainsRune(blanks, letter) }), "")}
}

// The bytes of standard, padded base64; none for any other text.
func decodedKey(text string) []byte {
	decoded, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(decoded) != text {
		return nil
	}
	return decoded
}

// Whether it is one whole DER sequence: a key that was cut is none.
func isDER(der []byte) bool {
	if len(der) < 4 || der[0] != 0x30 {
		return false
	}
	switch first := int(der[1]); {
	case first < 0x80:
		return len(der) == first+2
	case first == 0x81:
		return len(der) == int(der[2])+3
	case first == 0x82:
		return len(der) == int(binary.BigEndian.Uint16(der[2:]))+4
	}
	return false
}

// Source: OpenSSH, PROTOCOL.key.
func readOpenSSH(blob []byte) (ed25519.PrivateKey, error) {
	magic := []byte("openssh-key-v1\x00")
	if !bytes.HasPrefix(blob, magic) {
		return nil, privateHalf.cut()
	}
	outer := &sshReader{rest: blob[len(magic):]}
	if cipher := string(outer.text()); cipher != "none" && !outer.isCut {
		return nil, errEncrypted
	}
	outer.text() // The key derivation function and its options: none, because the cipher is none.
	outer.text()
	count := outer.number()
	outer.text() // The public key, which is repeated below.
	inner := &sshReader{rest: outer.text(), isCut: outer.isCut || count != 1}
	areEqual := inner.number() == inner.number()
	if own := string(inner.text()); own != sshType && areEqual && !inner.isCut {
		return nil, privateHalf.otherAlgorithm()
	}
	public, secret := inner.text(), inner.text()
	if inner.isCut || !areEqual || len(secret) != ed25519.PrivateKeySize || !bytes.Equal(public, secret[ed25519.SeedSize:]) {
		return nil, privateHalf.cut()
	}
	return ed25519.NewKeyFromSeed(secret[:ed25519.SeedSize]), nil
}

// SSH's wire format: four-byte numbers, and texts prefixed with their length. Once it is cut everything is empty.
type sshReader struct {
	rest  []byte
	isCut bool
}

func (r *sshReader) take(length uint32) []byte {
	if r.isCut || uint64(length) > uint64(len(r.rest)) {
		r.isCut = true
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
	blob := append(append([]byte{}, blobStart...), key...)
	return sshType + " " + base64.StdEncoding.EncodeToString(blob)
}
