package pay

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Amount is an exact amount of rubles as its digits, such as "10.50". A constant text can be assigned to it; a float
// cannot, because a float cannot represent every amount.
type Amount string

// NumberAmount is an Amount that a request sends as the JSON number with exactly these digits. At most two digits
// follow the point.
type NumberAmount string

// USDT is an exact amount of USDT as its digits, such as "100.000000". At most six digits follow the point.
type USDT string

var (
	rubles   = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]{1,2})?$`)
	positive = regexp.MustCompile(`^(?:0|[1-9][0-9]*)(?:\.[0-9]{1,2})?$`)
	usdt     = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]{1,6})?$`)
)

// AmountOf returns kopecks as rubles: 1050 is "10.50".
func AmountOf(kopecks int64) Amount {
	sign, digits := "", strconv.FormatInt(kopecks, 10)
	if kopecks < 0 {
		sign, digits = "-", digits[1:]
	}
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	point := len(digits) - 2
	return Amount(sign + digits[:point] + "." + digits[point:])
}

// Kopecks returns the amount in kopecks. It fails if the text is no amount, or if an int64 is too small for it.
func (a Amount) Kopecks() (int64, error) {
	if !rubles.MatchString(string(a)) {
		return 0, invalid(string(a), "two")
	}
	whole, fraction, _ := strings.Cut(string(a), ".")
	return strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
}

// Rat returns the amount for exact arithmetic. It fails if the text is no amount.
func (u USDT) Rat() (*big.Rat, error) {
	if !usdt.MatchString(string(u)) {
		return nil, invalid(string(u), "six")
	}
	value, _ := new(big.Rat).SetString(string(u))
	return value, nil
}

// MarshalJSON writes a JSON string. It fails for any text but an amount and the empty one.
func (a Amount) MarshalJSON() ([]byte, error) {
	if a != "" && !rubles.MatchString(string(a)) {
		return nil, invalid(string(a), "two")
	}
	return json.Marshal(string(a))
}

// UnmarshalJSON takes a JSON string, or a JSON number by its digits.
func (a *Amount) UnmarshalJSON(text []byte) error {
	return readDigits(text, (*string)(a))
}

// MarshalJSON writes a JSON number. It fails for any text but digits with at most two after the point.
func (a NumberAmount) MarshalJSON() ([]byte, error) {
	if !positive.MatchString(string(a)) {
		return nil, invalid(string(a), "two")
	}
	return []byte(a), nil
}

// UnmarshalJSON takes a JSON number by its digits, or a JSON string.
func (a *NumberAmount) UnmarshalJSON(text []byte) error {
	return readDigits(text, (*string)(a))
}

// MarshalJSON writes a JSON string. It fails for any text but an amount and the empty one.
func (u USDT) MarshalJSON() ([]byte, error) {
	if u != "" && !usdt.MatchString(string(u)) {
		return nil, invalid(string(u), "six")
	}
	return json.Marshal(string(u))
}

func invalid(text, places string) error {
	return fmt.Errorf(`pay: %q is no amount: it must be digits such as "10.50", with at most %s after the point`, text, places)
}

func readDigits(text []byte, digits *string) error {
	switch first := text[0]; {
	case first == '"':
		return json.Unmarshal(text, digits)
	case first == '-' || first >= '0' && first <= '9':
		*digits = string(text)
		return nil
	case string(text) == "null":
		return nil
	}
	return errors.New("pay: an amount is neither a number nor a string")
}
