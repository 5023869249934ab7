<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Verifies a callback, and stores and applies its event in one transaction: docs/partners/callbacks.md. */
final class CallbackReceiver
{
    /** Events are a few kilobytes. */
    public const BYTES_MAX = 262_144;

    private const TEXTS = [200 => 'ok', 400 => 'not an event', 401 => 'not authentic', 405 => 'POST only', 413 => 'too large'];

    /**
     * @param list<CallbackKey> $keys two during a rotation
     * @param \Closure(array): void $onEvent updates your order, in the transaction that stores the event
     * @param \Closure(int, string): void|null $onRefused gets the status and the reason of every response other than 200, for your log
     */
    public function __construct(
        private readonly array $keys,
        private readonly EventStore $store,
        private readonly \Closure $onEvent,
        private readonly ?\Closure $onRefused = null,
    ) {
    }

    /**
     * The status and the text to answer: 200, also for a repeat and for an event older than one applied; 401 if not authentic; 500 if `$onEvent`
     * failed, so that the event is sent again.
     *
     * @param array<string, string|list<string>> $headers
     *
     * @return array{int, string}
     */
    public function receive(string $method, array $headers, string $rawBody): array
    {
        try {
            [$status, $reason] = $this->decide($method, $headers, $rawBody);
        } catch (\Throwable $error) { // Whatever it is, the event was not applied, and is wanted again.
            [$status, $reason] = [500, $error::class . ": {$error->getMessage()}"];
        }
        if ($status !== 200 && $this->onRefused !== null) {
            ($this->onRefused)($status, $reason);
        }
        return [$status, (self::TEXTS[$status] ?? 'error') . "\n"];
    }

    /** Reads the request of this process and answers it: for a script that is your callbackUrl. */
    public function respond(): void
    {
        $headers = [];
        foreach ($_SERVER as $name => $value) {
            if (str_starts_with($name, 'HTTP_')) {
                $headers[str_replace('_', '-', substr($name, 5))] = (string) $value;
            }
        }
        $body = (string) file_get_contents('php://input', length: self::BYTES_MAX + 1);
        [$status, $text] = $this->receive($_SERVER['REQUEST_METHOD'], $headers, $body);
        http_response_code($status);
        header('Content-Type: text/plain; charset=utf-8');
        echo $text;
    }

    /** @return array{int, string} */
    private function decide(string $method, array $headers, string $rawBody): array
    {
        if ($method !== 'POST') {
            return [405, "{$method} instead of POST"];
        }
        if (strlen($rawBody) > self::BYTES_MAX) {
            return [413, 'the body is too large'];
        }
        try {
            $event = Callbacks::verify($rawBody, $headers, $this->keys);
        } catch (CallbackRefused $refused) {
            return [$refused->reason === 'malformed' ? 400 : 401, "{$refused->reason}: {$refused->getMessage()}"];
        }
        $apply = fn () => ($this->onEvent)($event);
        $this->store->receive($event['eventId'], self::aggregateOf($event), $event['aggregateVersion'], $apply);
        return [200, 'ok'];
    }

    /** What an event is about: a payment, a binding or a payout request; of an unknown kind, itself. */
    private static function aggregateOf(array $event): string
    {
        foreach (['orderId' => 'payment', 'bindingId' => 'binding', 'withdrawalRequestId' => 'withdrawal'] as $name => $kind) {
            if (is_string($event['data'][$name] ?? null)) {
                return "{$kind}:{$event['data'][$name]}";
            }
        }
        return $event['eventId'];
    }
}
