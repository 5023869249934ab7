<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** The signed API of the service. Every method throws `ApiError` if the request is refused and `NoAnswerError` without a readable response. */
final class Client extends Calls
{
    /** Attempts per call, including the first. */
    private const ATTEMPTS_MAX = 4;
    /** The longest Retry-After to wait for; a longer one is reported in the error. */
    private const RETRY_AFTER_MAX_SECONDS = 30;

    private readonly string $origin;
    private readonly Identity $identity;

    /**
     * @param string $baseUrl the origin: a signature covers the whole path
     * @param float $backoffSeconds pause before the second attempt; it doubles each time, and half of it is random
     *
     * @throws \InvalidArgumentException if `$baseUrl` is not an origin, or the keys are not an Ed25519 pair
     */
    public function __construct(
        string $baseUrl,
        string $partnerID,
        string $publicKey,
        #[\SensitiveParameter] string $privateKeyPem,
        private readonly Transport $transport = new StreamTransport(),
        private readonly float $backoffSeconds = 0.25,
    ) {
        if (preg_match('~^(https?://[^/?#@]+)/?$~D', $baseUrl, $found) !== 1) {
            throw new \InvalidArgumentException('baseUrl must be an origin without a path, such as https://api.example');
        }
        $this->origin = $found[1];
        $this->identity = new Identity($partnerID, $publicKey, $privateKeyPem);
    }

    /**
     * Any other call, signed and retried as all are. `$target` is the path with its escaped query.
     *
     * @param array<string, mixed>|null $body
     */
    public function request(string $method, string $target, ?array $body = null, ?string $idempotencyKey = null): array
    {
        return $this->call($method, $target, $body, $idempotencyKey);
    }

    /**
     * Every item, page after page: `$client->everyItem(fn ($page) => $client->listEvents(['status' => 'REFUSED'] + $page))`.
     *
     * @param callable(array{pageToken?: string}): array{items: list<array>, nextPageToken: ?string} $readPage
     *
     * @return \Generator<int, array>
     */
    public function everyItem(callable $readPage): \Generator
    {
        $next = [];
        do {
            $page = $readPage($next);
            foreach ($page['items'] as $item) {
                yield $item;
            }
            $next = ['pageToken' => $page['nextPageToken']];
        } while ($page['nextPageToken'] !== null);
    }

    /**
     * Your events as they are stored, each verified, by the place of each: `foreach ($client->streamEvents($keys) as $place => $event)`. For programs
     * without an address: development, tests, a tool of your own. Callbacks are sent all the same. The first event is null: it only says where the stream
     * begins. It continues through every break where it was; an event counts as taken when the loop asks for the next one. Events may
     * come out of order, and again after a restart: compare `eventId` and `aggregateVersion`, as with callbacks.
     *
     * @param list<CallbackKey> $keys those of your receiver; two during a rotation
     * @param string|null $after a place: continues behind it; without it, the stream begins with what happens now
     *
     * @return \Generator<string, ?array> it throws `ApiError` if the stream is refused, `NoAnswerError` if nobody answers at first, and `CallbackRefused` at
     *     an event that none of the keys has signed
     *
     * @throws \LogicException with a transport other than `StreamTransport`
     */
    public function streamEvents(array $keys, ?string $after = null): \Generator
    {
        $transport = $this->transport;
        if (!$transport instanceof StreamTransport) {
            throw new \LogicException('streamEvents needs StreamTransport: PSR-18 has no way to read a response as it comes');
        }
        $open = fn (string $target) => $transport->stream($this->signed('GET', $target, '', null));
        return (new EventStream($open, $keys, $after))->events();
    }

    protected function call(string $method, string $target, ?array $body = null, ?string $idempotencyKey = null, bool $amountIsNumber = false): array
    {
        $bytes = $body === null ? '' : Wire::body($body, $amountIsNumber);
        return $this->send($method, $target, $bytes, $idempotencyKey, static fn (Response $response) => Wire::read($response->body));
    }

    protected function text(string $target): string
    {
        $read = static fn (Response $response) => str_starts_with($response->headers['content-type'] ?? '', 'text/csv') ? $response->body : null;
        return $this->send('GET', $target, '', null, $read);
    }

    /**
     * The same bytes and the same key in each attempt, with a new timestamp, nonce and signature.
     *
     * @template T
     *
     * @param callable(Response): ?T $read null for a page of a proxy or a body that was cut: what the service did is unknown
     *
     * @return T
     */
    private function send(string $method, string $target, string $body, ?string $key, callable $read): mixed
    {
        if ($method === 'POST' && $key === null) {
            $key = bin2hex(random_bytes(16));
        }
        $mayBeDone = false;
        for ($attempt = 1; ; $attempt++) {
            $error = null;
            try {
                $response = $this->transport->send($this->signed($method, $target, $body, $key));
                if ($response->status < 300) {
                    return $read($response) ?? throw new \UnexpectedValueException('the response is not from this API');
                }
                $error = new ApiError($response, RetryAfter::seconds(explode("\n", $response->headers['retry-after'] ?? ''), time()), $key);
                if ($error->code === 'UNREADABLE' && $error->status >= 500 && $error->status !== 503) {
                    // The 502 or 504 of a proxy: the service may have got the request.
                    $error = new NoAnswerError($error, $key);
                }
            } catch (\RuntimeException $cause) {
                $error = $cause instanceof ApiError ? $cause : new NoAnswerError($cause, $key);
            }
            if ($attempt === self::ATTEMPTS_MAX || !self::mayPass($error)) {
                throw $mayBeDone && $error instanceof ApiError && !self::decides($error) ? self::stillUnknown($error) : $error;
            }
            $mayBeDone = $mayBeDone || ($method !== 'GET' && $error instanceof NoAnswerError);
            $this->pause($attempt, $error);
        }
    }

    private function signed(string $method, string $target, string $body, ?string $key): Request
    {
        $headers = ['Authorization' => $this->identity->sign($method, $target, $key ?? '', $body), 'Accept' => 'application/json'];
        if ($key !== null) {
            $headers['Idempotency-Key'] = $key;
        }
        if ($body !== '') {
            $headers['Content-Type'] = 'application/json';
        }
        return new Request($method, $this->origin . $target, $headers, $body);
    }

    private function pause(int $attempt, ApiError|NoAnswerError $error): void
    {
        $base = $this->backoffSeconds * 2 ** ($attempt - 1);
        // Half of it is random, so that clients that failed together do not retry together.
        $seconds = $error instanceof ApiError ? $error->retryAfterSeconds : null;
        $seconds ??= $base / 2 + $base / 2 * random_int(0, 1000) / 1000;
        usleep((int) ($seconds * 1_000_000));
    }

    private static function mayPass(ApiError|NoAnswerError $error): bool
    {
        if ($error instanceof NoAnswerError) {
            return true;
        }
        return ($error->retryAfterSeconds ?? 0) <= self::RETRY_AFTER_MAX_SECONDS
            && (in_array($error->status, [429, 503], true) || $error->code === 'IDEMPOTENCY_KEY_IN_PROGRESS');
    }

    /**
     * Whether a refusal says that an earlier attempt, which got no response, did nothing either. "Not now" and a page of a proxy don't, nor does 401: the
     * key may have been revoked in between.
     */
    private static function decides(ApiError $error): bool
    {
        $isOfCommand = $error->status >= 400 && $error->status < 500 && !in_array($error->status, [401, 429], true);
        return $isOfCommand && !in_array($error->code, ['UNREADABLE', 'IDEMPOTENCY_KEY_IN_PROGRESS'], true);
    }

    private static function stillUnknown(ApiError $last): NoAnswerError
    {
        $told = "an earlier attempt got none, the last one {$last->status} {$last->code}: {$last->getMessage()}";
        return new NoAnswerError(new \RuntimeException($told, 0, $last), $last->idempotencyKey);
    }
}
