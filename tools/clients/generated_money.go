// Command money is money.go for the client of openapi-generator, which is a package of its own.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"

	client "github.com/payments/payments"
)

const others = `"orderID":"A-1","currency":"RUB","description":"Tea","customerID":"c1"`

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var body client.CreateCardPayment
		if err := json.Unmarshal([]byte(`{"amount":`+lines.Text()+`,`+others+`}`), &body); err != nil {
			log.Fatal(err)
		}
		text, err := json.Marshal(body)
		if err != nil {
			log.Fatal(err)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			log.Fatal(err)
		}
		fmt.Fprintln(out, string(members["amount"]))
	}
}
