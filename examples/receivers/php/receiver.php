<?php

// Plain PHP and SQLite: the order is paid in the transaction that records the event.

require __DIR__ . '/pay-sdk-0.1.0.phar';

use Pay\Sdk\CallbackKey;
use Pay\Sdk\CallbackReceiver;
use Pay\Sdk\PdoEventStore;

$pdo = new PDO('sqlite:' . getenv('DATABASE'));
$pdo->exec(str_replace('create table', 'create table if not exists', PdoEventStore::SQL)); // a shop has this in its migrations

$receiver = new CallbackReceiver(
    keys: [new CallbackKey(getenv('CALLBACK_KEY_ID'), getenv('CALLBACK_SECRET'))], // two during a rotation
    store: new PdoEventStore($pdo),
    onEvent: function (array $event) use ($pdo): void {
        if ($event['type'] === 'payment.completed') { // a newer service may send events that this version does not know
            ['merchantOrderId' => $number, 'amount' => $amount, 'currency' => $currency] = $event['data'];
            $update = $pdo->prepare('update orders set paid = 1 where number = ? and amount = ? and currency = ?');
            $update->execute([$number, $amount, $currency]);
            if ($update->rowCount() !== 1) { // 500: it comes again, until somebody has looked
                throw new RuntimeException("STOP: no order has this number, amount and currency: {$number}");
            }
        }
    },
    onRefused: fn (int $status, string $reason) => error_log("refused {$status} {$reason}"),
);
$receiver->respond();
