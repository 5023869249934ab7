// net/http and PostgreSQL: the order is paid in the transaction that records the event.
package main

import (
	"context"
	"database/sql"
	"log"
	"net/http"
	"os"
	"strings"

	_ "github.com/lib/pq"
	"pay.example/pay"
)

func main() {
	db := must(sql.Open("postgres", os.Getenv("DATABASE_URL")))
	must(db.Exec(strings.ReplaceAll(pay.CallbackEventsSQL, "create table", "create table if not exists"))) // a shop: in its migrations
	key := must(pay.NewCallbackKey(os.Getenv("CALLBACK_KEY_ID"), os.Getenv("CALLBACK_SECRET")))
	http.Handle("/callbacks", &pay.CallbackReceiver[*sql.Tx]{
		Keys:  []pay.CallbackKey{key}, // two during a rotation
		Store: &pay.DatabaseEventStore{DB: db},
		OnEvent: func(ctx context.Context, event *pay.Event, tx *sql.Tx) error {
			if paid, ok := event.Data.(*pay.PaymentCompletedEventData); ok { // a newer service may send others
				const sold = "update orders set paid = true where number = $1 and amount = $2 and currency = $3 returning number"
				return tx.QueryRowContext(ctx, sold, paid.MerchantOrderID, string(paid.Amount), string(paid.Currency)).Scan(new(string)) // none: 500, until somebody has looked
			}
			return nil
		},
	})
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), nil))
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
