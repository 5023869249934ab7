module pay.example/pay

go 1.19
