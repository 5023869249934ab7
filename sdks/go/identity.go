package pay

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Identity is who signs.
type Identity struct {
	partnerID  string
	publicKey  string
	privateKey ed25519.PrivateKey
}

// NewIdentity reads a pair of keys. publicKey is the OpenSSH line, as registered. privateKey is the text of an Ed25519 key
// without a passphrase, as PKCS#8 PEM or as ssh-keygen writes it. The error says what a text is and what to give instead.
func NewIdentity(partnerID, publicKey, privateKey string) (*Identity, error) {
	key, err := readPrivateKey(privateKey)
	if err != nil {
		return nil, err
	}
	if publicKey, err = readPublicKey(publicKey); err != nil {
		return nil, err
	}
	if publicKey != openSSHLine(key.Public().(ed25519.PublicKey)) {
		return nil, errNoPair
	}
	return &Identity{partnerID, publicKey, key}, nil
}

// Sign returns the value of the Authorization header of one attempt: sign again to repeat a request. target is the path
// with its escaped query; idempotencyKey is empty if the request has none.
func (i *Identity) Sign(method, target, idempotencyKey string, body []byte) string {
	return i.signAt(strconv.FormatInt(time.Now().Unix(), 10), randomText(), method, target, idempotencyKey, body)
}

func (i *Identity) signAt(timestamp, nonce, method, target, idempotencyKey string, body []byte) string {
	canonical := canonicalString(timestamp, nonce, method, target, idempotencyKey, body)
	members := struct {
		PartnerID string `json:"partnerID"`
		Key       string `json:"key"`
		Sign      string `json:"sign"`
		Timestamp string `json:"timestamp"`
		Nonce     string `json:"nonce"`
	}{i.partnerID, i.publicKey, base64.StdEncoding.EncodeToString(ed25519.Sign(i.privateKey, []byte(canonical))), timestamp, nonce}
	text, _ := json.Marshal(members) // Texts always have a JSON form.
	return string(text)
}

// The seven signed parts, joined by line feeds, with none at the end.
func canonicalString(timestamp, nonce, method, target, idempotencyKey string, body []byte) string {
	path, query, _ := strings.Cut(target, "?")
	digest := sha256.Sum256(body)
	parts := []string{timestamp, nonce, strings.ToUpper(method), path, canonicalQuery(query), idempotencyKey, hex.EncodeToString(digest[:])}
	return strings.Join(parts, "\n")
}

// Names and values decoded, encoded again by RFC 3986 and sorted by encoded name.
func canonicalQuery(query string) string {
	var pairs [][2]string
	for _, piece := range strings.Split(query, "&") {
		if piece != "" {
			name, value, _ := strings.Cut(piece, "=")
			pairs = append(pairs, [2]string{escapedAgain(name), escapedAgain(value)})
		}
	}
	sort.SliceStable(pairs, func(a, b int) bool {
		if pairs[a][0] != pairs[b][0] {
			return pairs[a][0] < pairs[b][0]
		}
		return pairs[a][1] < pairs[b][1]
	})
	texts := make([]string, len(pairs))
	for at, pair := range pairs {
		texts[at] = pair[0] + "=" + pair[1]
	}
	return strings.Join(texts, "&")
}

func escapedAgain(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return escape(plain)
	}
	return escape(text)
}

// Text as a part of a path or query, escaped as it is signed.
func escape(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}

func randomText() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic("pay: the system has no randomness: " + err.Error())
	}
	return hex.EncodeToString(bytes)
}
