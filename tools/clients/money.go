// Command money reads a JSON number per line as a payment of the generated client, and writes the number that the client
// sends.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var body CreateCardPaymentJSONRequestBody
		if err := json.Unmarshal([]byte(`{"amount":`+lines.Text()+`}`), &body); err != nil {
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
