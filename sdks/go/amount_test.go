package pay

import (
	"context"
	"encoding/json"
	"math"
	"testing"
)

func TestKeepsEveryAmount(t *testing.T) {
	for kopecks := int64(1); kopecks <= 100_000; kopecks++ {
		amount := AmountOf(kopecks)
		number, err := json.Marshal(NumberAmount(amount))
		if err != nil || string(number) != string(amount) {
			t.Fatal(amount, string(number), err)
		}
		var back Amount
		if err := json.Unmarshal(number, &back); err != nil || back != amount {
			t.Fatal(amount, back, err)
		}
		if own, err := back.Kopecks(); own != kopecks || err != nil {
			t.Fatal(amount, own, err)
		}
	}
}

func TestCountsKopecks(t *testing.T) {
	for text, kopecks := range map[Amount]int64{"0": 0, "10": 1000, "10.5": 1050, "-0.05": -5, "900719925474099.01": 90071992547409901} {
		if own, err := text.Kopecks(); own != kopecks || err != nil {
			t.Error(text, own, err)
		}
	}
	for kopecks, text := range map[int64]Amount{0: "0.00", 5: "0.05", -5: "-0.05", -1050: "-10.50", math.MinInt64: "-92233720368547758.08"} {
		same(t, text, AmountOf(kopecks))
	}
	for _, text := range []Amount{"", "1e2", "10.505", "1,5", ".5", "92233720368547758.08", " 1"} {
		if own, err := text.Kopecks(); err == nil {
			t.Error(text, own)
		}
	}
}

func TestCalculatesUSDTExactly(t *testing.T) {
	rat, err := USDT("9999999999999.000001").Rat()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "9999999999999.000001", rat.FloatString(6))
	if _, err := USDT("1/3").Rat(); err == nil {
		t.Error("a fraction is no amount")
	}
}

func TestSendsAnAmountByItsDigits(t *testing.T) {
	service, client := serve(t, reply{Status: 200, Text: `{"amount":"1.00"}`})
	ctx := context.Background()
	for _, amount := range []NumberAmount{"10.50", "10", "0.1"} {
		if _, err := client.CreateQRPayment(ctx, NewQRPayment{Amount: amount}); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = client.RefundQRPayment(ctx, "p-1", NewRefund{Amount: "10.50"})
	_, _ = client.CreateWithdrawalRequest(ctx, NewWithdrawalRequest{AmountUSDT: "0.000001"})
	var bodies []string
	for _, one := range service.sent {
		bodies = append(bodies, one.Body)
	}
	same(t, []string{`{"amount":10.50}`, `{"amount":10}`, `{"amount":0.1}`, `{"amount":"10.50"}`, `{"storeId":"","amountUsdt":"0.000001","beneficiaryRef":""}`}, bodies)
	for _, amount := range []NumberAmount{"", "10.505", "-1", "1e2", "NaN", "10.50 ", "10.50\n", ".5", "01"} {
		if _, err := client.CreateQRPayment(ctx, NewQRPayment{Amount: amount}); err == nil {
			t.Errorf("%q was taken", amount)
		}
	}
	for _, amount := range []Amount{"10.505", "1e2", "ten", "10,50"} {
		if _, err := client.RefundQRPayment(ctx, "p-1", NewRefund{Amount: amount}); err == nil {
			t.Errorf("%q was taken", amount)
		}
	}
	if _, err := client.CreateWithdrawalRequest(ctx, NewWithdrawalRequest{AmountUSDT: "0.0000001"}); err == nil {
		t.Error("seven digits were taken")
	}
	same(t, 5, len(service.sent))
}
