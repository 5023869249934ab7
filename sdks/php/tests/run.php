<?php

declare(strict_types=1);

// php tests/run.php [autoload.php of Guzzle]: the cases that every SDK passes (sdks/conformance, the signing vectors), callbacks, and the store.
// With Guzzle, what is sent is sent with it, too; with DATABASE_DSN, events are stored there, too. Prints "N passed".

namespace Pay\Sdk\Tests;

use Pay\Sdk\ApiError;
use Pay\Sdk\CallbackKey;
use Pay\Sdk\CallbackReceiver;
use Pay\Sdk\CallbackRefused;
use Pay\Sdk\Callbacks;
use Pay\Sdk\Client;
use Pay\Sdk\Identity;
use Pay\Sdk\KeyText;
use Pay\Sdk\MemoryEventStore;
use Pay\Sdk\NoAnswerError;
use Pay\Sdk\PdoEventStore;
use Pay\Sdk\Psr18Transport;
use Pay\Sdk\Request;
use Pay\Sdk\RetryAfter;
use Pay\Sdk\Response;
use Pay\Sdk\StreamTransport;
use Pay\Sdk\Transport;

require __DIR__ . '/../autoload.php';
isset($argv[1]) && require $argv[1];
error_reporting(E_ALL);
set_error_handler(static fn (int $level, string $text) => (error_reporting() & $level) === 0 ? false : throw new \ErrorException($text));

final class Checks
{
    public static int $passed = 0;
    public static int $failed = 0;

    public static function run(string $name, \Closure $test): void
    {
        try {
            $test();
            self::$passed++;
        } catch (\Throwable $error) {
            self::$failed++;
            echo "FAILED {$name}\n  " . $error::class . ": {$error->getMessage()} ({$error->getLine()})\n";
        }
    }

    public static function same(mixed $wanted, mixed $given, string $what = ''): void
    {
        if ($wanted !== $given) {
            $shown = static fn (mixed $value) => json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
            throw new \Exception("{$what} wanted {$shown($wanted)}, got {$shown($given)}");
        }
    }

    /** @param class-string $class */
    public static function thrown(string $class, \Closure $run): \Throwable
    {
        try {
            $run();
        } catch (\Throwable $error) {
            return $error instanceof $class ? $error : throw $error;
        }
        throw new \Exception("no {$class} was thrown");
    }
}

function read(string $path): array
{
    return json_decode((string) file_get_contents(dirname(__DIR__, 3) . "/{$path}"), true, flags: JSON_THROW_ON_ERROR);
}

$signing = read('packages/signing/test/vectors/request-signing.json');
$partner = [$signing['partnerID'], $signing['publicKeyOpenSsh'], $signing['privateKeyPkcs8Pem']];
foreach ($signing['cases'] as $case) {
    Checks::run("signs: {$case['name']}", static function () use ($case, $partner): void {
        $moment = [$case['timestamp'], $case['nonce']];
        $request = [$case['method'], $case['target'], $case['idempotencyKey'], $case['body']];
        Checks::same($case['canonical'], Identity::canonical(...$moment, ...$request));
        Checks::same($case['sign'], json_decode((new Identity(...$partner))->sign(...$request, ...$moment), true)['sign']);
    });
}

$callbacks = read('packages/signing/test/vectors/callback-signing.json');
$keys = array_map(static fn (string $id, string $secret) => new CallbackKey($id, $secret), array_keys($callbacks['keys']), $callbacks['keys']);
foreach ($callbacks['cases'] as $case) {
    Checks::run("verifies: {$case['name']}", static function () use ($case, $keys, $callbacks): void {
        [$now, $body] = [(int) $case['timestamp'], $case['body']];
        $eventId = preg_match('/"eventId":"([^"]+)"/', $body, $found) === 1 ? $found[1] : null;
        $headers = ['X-Service-Timestamp' => $case['timestamp'], 'x-service-signature' => [$case['signature']], 'X-Service-Event-ID' => (string) $eventId];
        $others = [new CallbackKey('other', reset($callbacks['keys']))];
        $refused = [
            'bad signature' => ["{$body} ", $headers, $keys, $now],
            'stale' => [$body, $headers, $keys, $now + 301],
            'unknown key' => [$body, $headers, $others, $now],
            'unsigned' => [$body, ['X-Service-Timestamp' => 'soon'] + $headers, $keys, $now],
        ];
        if ($eventId === null) {
            $refused['malformed'] = [$body, $headers, $keys, $now];
        } else {
            Checks::same($eventId, Callbacks::verify($body, $headers, $keys, $now + 300)['eventId']);
        }
        foreach ($refused as $reason => $given) {
            Checks::same($reason, Checks::thrown(CallbackRefused::class, static fn () => Callbacks::verify(...$given))->reason);
        }
    });
}

$retryAfter = read('sdks/conformance/retry-after.json');
foreach ($retryAfter['cases'] as $case) {
    Checks::run("reads a Retry-After: {$case['name']} (K2)", static function () use ($case, $retryAfter): void {
        Checks::same($case['seconds'], RetryAfter::seconds($case['values'], (new \DateTimeImmutable($retryAfter['now']))->getTimestamp()));
    });
}

foreach (read('sdks/conformance/signatures.json')['cases'] as $case) {
    Checks::run("reads eight signatures: {$case['name']} (N14)", static function () use ($case, $keys, $callbacks): void {
        ['timestamp' => $timestamp, 'body' => $body] = $callbacks['cases'][0];
        $eventId = json_decode($body, true)['eventId'];
        $headers = ['X-Service-Timestamp' => $timestamp, 'X-Service-Signature' => $case['signature'], 'X-Service-Event-ID' => $eventId];
        $verify = static fn () => Callbacks::verify($body, $headers, $keys, (int) $timestamp);
        if ($case['reason'] === null) {
            Checks::same($eventId, $verify()['eventId']);
        } else {
            Checks::same($case['reason'], Checks::thrown(CallbackRefused::class, $verify)->reason);
        }
    });
}

/** The service's side: checks signatures and nonces, and replies as told; the last reply repeats. */
final class Service implements Transport
{
    public array $sent = [];
    public array $nonces = [];
    public array $keys = [];

    public function __construct(private array $replies)
    {
    }

    public function send(Request $request): Response
    {
        $target = substr($request->url, strlen('https://api.example'));
        $key = $request->headers['Idempotency-Key'] ?? '';
        $given = json_decode($request->headers['Authorization'], true);
        $canonical = Identity::canonical($given['timestamp'], $given['nonce'], $request->method, $target, $key, $request->body);
        $publicKey = substr((string) base64_decode(explode(' ', $given['key'])[1]), -32);
        Checks::same(true, sodium_crypto_sign_verify_detached((string) base64_decode($given['sign']), $canonical, $publicKey), 'signature');
        $this->nonces[] = $given['nonce'];
        $this->keys[] = [$request->method, $key];
        $this->sent[] = ['method' => $request->method, 'target' => $target, 'body' => $request->body];
        $reply = count($this->replies) > 1 ? array_shift($this->replies) : $this->replies[0];
        // The second is for StreamTransport to find, which is tested below.
        if (($reply['cut'] ?? false) || ($reply['withoutLength'] ?? false)) {
            throw new \RuntimeException('cut');
        }
        return new Response($reply['status'], array_change_key_case($reply['headers'] ?? []), $reply['text']);
    }
}

/**
 * Each way to send, by its name: as it is, and through PSR-18, whose requests and responses are Guzzle's.
 *
 * @return array<string, \Closure(Service): Transport>
 */
function transports(): array
{
    $ways = ['' => static fn (Service $service) => $service];
    if (interface_exists(\Psr\Http\Client\ClientInterface::class)) {
        $ways[' by PSR-18'] = static function (Service $service): Transport {
            $client = new class ($service) implements \Psr\Http\Client\ClientInterface {
                public function __construct(private readonly Service $service)
                {
                }

                public function sendRequest(\Psr\Http\Message\RequestInterface $request): \Psr\Http\Message\ResponseInterface
                {
                    $headers = array_map(static fn (array $values) => implode(', ', $values), $request->getHeaders());
                    try {
                        $response = $this->service->send(new Request($request->getMethod(), (string) $request->getUri(), $headers, (string) $request->getBody()));
                    } catch (\RuntimeException $error) {
                        throw new class ($error->getMessage()) extends \Exception implements \Psr\Http\Client\ClientExceptionInterface {};
                    }
                    return new \GuzzleHttp\Psr7\Response($response->status, $response->headers + ['Content-Length' => (string) strlen($response->body)], $response->body);
                }
            };
            return new Psr18Transport($client, new \GuzzleHttp\Psr7\HttpFactory(), new \GuzzleHttp\Psr7\HttpFactory());
        };
    }
    return $ways;
}

function called(Client $client, array $case): mixed
{
    if ($case['everyItem'] ?? false) {
        $pages = static fn (array $page) => $client->{$case['call']}($case['arguments'][0] + $page);
        return iterator_to_array($client->everyItem($pages), false);
    }
    $options = isset($case['idempotencyKey']) ? ['idempotencyKey' => $case['idempotencyKey']] : [];
    return $client->{$case['call']}(...$case['arguments'], ...$options);
}

$keyTexts = read('sdks/conformance/keys.json');
foreach (['public' => 1, 'private' => 2] as $half => $at) {
    foreach ($keyTexts[$half] as $case) {
        Checks::run("reads the text of a key, {$half}: {$case['name']} (K5)", static function () use ($case, $partner, $at, $half, $keyTexts): void {
            $build = static fn () => new Identity(...array_replace($partner, [$at => $case['text']]));
            if ($case['taken'] ?? false) {
                Checks::same($partner[1], json_decode($build()->sign('GET', '/', '', ''), true)['key']);
            } else {
                Checks::same($keyTexts['sentences'][$half][$case['says']], Checks::thrown(\InvalidArgumentException::class, $build)->getMessage());
            }
        });
    }
}

Checks::run('says that the keys are no pair (K5)', static function () use ($partner, $keyTexts): void {
    $other = KeyText::lineOf(str_repeat("\0", 32));
    $error = Checks::thrown(\InvalidArgumentException::class, static fn () => new Identity($partner[0], $other, $partner[2]));
    Checks::same($keyTexts['sentences']['noPair'], $error->getMessage());
});

foreach (read('sdks/conformance/calls.json')['cases'] as $case) {
    foreach (transports() as $way => $through) {
        Checks::run($case['name'] . $way, static function () use ($case, $partner, $through): void {
            $service = new Service($case['replies']);
            $client = new Client('https://api.example', ...$partner, transport: $through($service), backoffSeconds: 0);
            if (isset($case['error'])) {
                $kinds = ['refused' => ApiError::class, 'no answer' => NoAnswerError::class, 'invalid' => \InvalidArgumentException::class];
                $error = Checks::thrown($kinds[$case['error']['kind']], static fn () => called($client, $case));
                Checks::same(true, str_contains($error->getMessage(), $case['error']['says'] ?? ''), $error->getMessage());
                foreach (array_diff_key($case['error'], ['kind' => 0, 'says' => 0]) as $name => $value) {
                    $own = $error->$name;
                    Checks::same($value, $own instanceof \DateTimeImmutable ? $own->format('Y-m-d\TH:i:s.v\Z') : $own, $name);
                }
            } else {
                Checks::same($case['result'], called($client, $case));
            }
            Checks::same($case['sent'], $service->sent);
            Checks::same($service->nonces, array_unique($service->nonces), 'nonces');
            foreach ($service->keys as [$method, $key]) {
                Checks::same($method === 'POST', strlen($key) >= 16, 'key');
            }
            if (!($case['everyItem'] ?? false)) {
                Checks::same(true, count(array_unique($service->keys, SORT_REGULAR)) <= 1, 'one key over all attempts');
            }
        });
    }
}

foreach (read('sdks/conformance/amounts.json')['cases'] as $case) {
    Checks::run("takes no number as an amount: {$case['name']}", static function () use ($case, $partner): void {
        $service = new Service([['status' => 500, 'text' => '{}']]);
        $client = new Client('https://api.example', ...$partner, transport: $service);
        Checks::thrown(\InvalidArgumentException::class, static fn () => called($client, $case));
        Checks::same([], $service->sent);
    });
}

Checks::run('refuses a float, and an integer, as an amount', static function () use ($partner): void {
    $service = new Service([['status' => 201, 'text' => '{}']]);
    $client = new Client('https://api.example', ...$partner, transport: $service);
    foreach ([10.5, 10, '10.50 ', "10.50\n", '.5', ''] as $amount) {
        Checks::thrown(\InvalidArgumentException::class, static fn () => $client->createQrPayment(['amount' => $amount]));
    }
    Checks::same([], $service->sent);
});

Checks::run('says that a response is not from this API', static function () use ($partner): void {
    $page = ['status' => 200, 'headers' => ['Content-Type' => 'text/html'], 'text' => '<html>'];
    $client = new Client('https://api.example', ...$partner, transport: new Service([$page]), backoffSeconds: 0);
    foreach ([fn () => $client->readCardPayment('p-1'), fn () => $client->readRegisterCsv('2026-11-22')] as $call) {
        $error = Checks::thrown(NoAnswerError::class, $call);
        Checks::same(true, str_contains($error->getMessage(), 'not from this API'));
    }
    $file = ['status' => 200, 'headers' => ['Content-Type' => 'text/csv; charset=utf-8'], 'text' => "line\r\n"];
    $client = new Client('https://api.example', ...$partner, transport: new Service([$page, $file]), backoffSeconds: 0);
    Checks::same("line\r\n", $client->readRegisterCsv('2026-11-22'));
});

Checks::run('takes an origin only, and a pair only', static function () use ($partner): void {
    foreach (['api.example', 'https://api.example/v1', 'https://me@api.example', 'ftp://api.example'] as $baseUrl) {
        Checks::thrown(\InvalidArgumentException::class, static fn () => new Client($baseUrl, ...$partner));
    }
    [$id, $publicKey, $pem] = $partner;
    $other = str_replace('AAAAI', 'AAAAJ', $publicKey);
    Checks::thrown(\InvalidArgumentException::class, static fn () => new Client('https://api.example', $id, $other, $pem));
    Checks::thrown(\InvalidArgumentException::class, static fn () => new Client('https://api.example', $id, $publicKey, 'no key'));
});

/** Sends one request to a server that answers with these bytes and closes the connection. */
function sentTo(string $bytes, Transport $transport): Response
{
    $server = stream_socket_server('tcp://127.0.0.1:0') ?: throw new \Exception('no server');
    $child = pcntl_fork();
    if ($child === 0) {
        $connection = stream_socket_accept($server);
        fread($connection, 65536);
        fwrite($connection, $bytes);
        fclose($connection);
        posix_kill(posix_getpid(), SIGKILL); // without the parent's shutdown
    }
    try {
        return $transport->send(new Request('POST', 'http://' . stream_socket_get_name($server, false) . '/a%20b?c=%2F', ['Accept' => 'x'], '{}'));
    } finally {
        pcntl_waitpid($child, $status);
    }
}

$clients = ['PHP’s own streams' => new StreamTransport()];
if (class_exists(\GuzzleHttp\Client::class)) {
    $factory = new \GuzzleHttp\Psr7\HttpFactory();
    $clients['Guzzle'] = new Psr18Transport(new \GuzzleHttp\Client(), $factory, $factory);
}
foreach ($clients as $by => $transport) {
    Checks::run("reads a refusal whole, by {$by}", static function () use ($transport): void {
        $response = sentTo("HTTP/1.1 409 Conflict\r\nRetry-After: 1\r\nContent-Length: 2\r\n\r\n{}", $transport);
        Checks::same([409, '1', '{}'], [$response->status, $response->headers['retry-after'], $response->body]);
    });
    Checks::run("reads a response in chunks, by {$by}", static function () use ($transport): void {
        $chunks = "5\r\n{\"id\"\r\n6;name=value\r\n:\r\n0\r\n\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n";
        Checks::same("{\"id\":\r\n0\r\n}", sentTo("HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n{$chunks}", $transport)->body);
    });
    Checks::run("follows no redirect, by {$by}", static function () use ($transport): void {
        $moved = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
        Checks::same(302, sentTo($moved, $transport)->status);
    });
    Checks::run("takes a response that was cut for none, by {$by}", static function () use ($transport): void {
        $chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        $cut = [
            '',
            "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{\"id\":",
            "HTTP/1.1 200 OK\r\n\r\n{\"id\":",
            "HTTP/1.1 200 OK\r\n\r\nid,sum\r\n",
            $chunked,
            "{$chunked}5\r\n{\"id\"",
            "{$chunked}5\r\n{\"i",
            "{$chunked}5\r\n{\"id\"\r\n",
            "{$chunked}5\r\n{\"id\"\r\n4",
            "{$chunked}6\r\nid,sum\r\n",
        ];
        foreach ($cut as $bytes) {
            Checks::thrown(\RuntimeException::class, static fn () => sentTo($bytes, $transport));
        }
    });
}

if (isset($clients['Guzzle'])) {
    Checks::run('sends by PSR-18 what it signed, or nothing', static function (): void {
        $unescapes = new class () implements \Psr\Http\Message\RequestFactoryInterface {
            public function createRequest(string $method, $uri): \Psr\Http\Message\RequestInterface
            {
                return new \GuzzleHttp\Psr7\Request($method, str_replace('%2F', '/', (string) $uri));
            }
        };
        $transport = new Psr18Transport(new \GuzzleHttp\Client(), $unescapes, new \GuzzleHttp\Psr7\HttpFactory());
        $error = Checks::thrown(\LogicException::class, static fn () => $transport->send(new Request('GET', 'http://127.0.0.1:1/a?b=%2F', [], '')));
        Checks::same("the request factory makes http://127.0.0.1:1/a?b=/ of http://127.0.0.1:1/a?b=%2F", $error->getMessage());
    });
}

// Callbacks.

function event(string $id = 'e-1', int $version = 1): string
{
    $members = ['schemaVersion' => 1, 'eventId' => $id, 'type' => 'payment.completed', 'aggregateVersion' => $version];
    return (string) json_encode($members + ['createdAt' => '2026-11-22T10:00:00.000Z', 'data' => ['orderId' => 'p-1']]);
}

[$old, $new] = [new CallbackKey('k1', str_repeat('A', 43) . '='), new CallbackKey('k2', 'B' . str_repeat('A', 42) . '=')];

Checks::run('receives: a repeat once, nothing forged, and again what failed', static function () use ($old, $new): void {
    [$applied, $refused, $failure] = [[], [], null];
    $onEvent = static function (array $event) use (&$applied, &$failure): void {
        $failure === null ? $applied[] = $event['eventId'] : throw $failure;
    };
    $onRefused = static function (int $status, string $reason) use (&$refused): void {
        $refused[] = $status;
    };
    $receiver = new CallbackReceiver([$old, $new], new MemoryEventStore(), $onEvent, $onRefused);
    $post = static fn (string $body, array $headers) => $receiver->receive('POST', $headers, $body);
    $signed = static fn (string $body, ?array $keys = null, int $late = 0) => Callbacks::signedHeaders($body, $keys ?? [$new], time() - $late);
    Checks::same([200, "ok\n"], $post(event(), $signed(event())));
    Checks::same([200, "ok\n"], $post(event(), $signed(event(), [$old])));
    Checks::same([401, "not authentic\n"], $post(event() . ' ', $signed(event())));
    Checks::same([401, "not authentic\n"], $post(event(), []));
    Checks::same([401, "not authentic\n"], $post(event(), $signed(event(), late: 305)));
    Checks::same([401, "not authentic\n"], $post(event(), $signed(event(), late: -305)));
    Checks::same([400, "not an event\n"], $post('{}', $signed('{}')));
    Checks::same([405, "POST only\n"], $receiver->receive('GET', [], ''));
    $big = str_repeat('x', CallbackReceiver::BYTES_MAX + 1);
    Checks::same([413, "too large\n"], $post($big, $signed($big)));
    $failure = new \Exception('the database is away');
    Checks::same([500, "error\n"], $post(event('e-2', 2), $signed(event('e-2', 2))));
    $failure = null;
    Checks::same([200, "ok\n"], $post(event('e-2', 2), $signed(event('e-2', 2))));
    Checks::same(['e-1', 'e-2'], $applied);
    Checks::same([401, 401, 401, 401, 400, 405, 413, 500], $refused);
});

Checks::run('says which key is wrong', static function (): void {
    $error = Checks::thrown(\InvalidArgumentException::class, static fn () => new CallbackKey('k1', 'short'));
    Checks::same(true, str_contains($error->getMessage(), 'callback key k1'));
});

// Streams of events.

/** A message as the service writes it. @param array<string, CallbackKey> $keys */
function written(array $message, array $keys): string
{
    if (isset($message['begin'])) {
        return "retry: 500\n\n:\n\nid: {$message['begin']}\n\n";
    }
    $type = $message['type'] ?? 'payment.completed';
    $body = str_replace('payment.completed', $type, event("e-{$message['event']}"));
    $headers = Callbacks::signedHeaders($body, [$keys[$message['key'] ?? 'k1']], time() - ($message['ageSeconds'] ?? 0));
    $data = json_encode(['headers' => $headers, 'body' => $body]);
    return substr("id: {$message['event']}\nevent: {$type}\ndata: {$data}\n\n", 0, $message['cutAfter'] ?? null);
}

/** What a server sends, in chunks of a few bytes; a stream breaks off without the last one. */
function response(array $reply, array $keys): string
{
    $ofStream = ['status' => 200, 'headers' => ['Content-Type' => 'text/event-stream']];
    [$text, $end] = isset($reply['messages'])
        ? [implode('', array_map(static fn (array $one) => written($one, $keys), $reply['messages'])), '']
        : [$reply['text'], "0\r\n\r\n"];
    $given = isset($reply['messages']) ? $ofStream : $reply;
    $lines = ["HTTP/1.1 {$given['status']} Some", 'Transfer-Encoding: chunked'];
    foreach ($given['headers'] ?? [] as $name => $value) {
        $lines[] = "{$name}: {$value}";
    }
    $chunks = $text === '' ? [] : array_map(static fn (string $part) => dechex(strlen($part)) . "\r\n{$part}\r\n", str_split($text, 50));
    return implode("\r\n", [...$lines, '', '']) . implode('', $chunks) . $end;
}

foreach (read('sdks/conformance/streams.json')['cases'] as $case) {
    Checks::run("streams: {$case['name']}", static function () use ($case, $partner, $old, $new): void {
        $keys = ['k1' => $old, 'k2' => $new];
        $server = stream_socket_server('tcp://127.0.0.1:0') ?: throw new \Exception('no server');
        [$own, $childs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0) ?: throw new \Exception('no sockets');
        $child = pcntl_fork();
        if ($child === 0) {
            foreach ($case['responses'] as $at => $reply) {
                $connection = @stream_socket_accept($server, 60);
                if ($connection === false) {
                    break;
                }
                $head = '';
                while (!str_contains($head, "\r\n\r\n")) {
                    $head .= fread($connection, 8192);
                }
                fwrite($childs, explode(' ', $head)[1] . "\n");
                [$head, $body] = ($reply['cut'] ?? false) ? ['', ''] : explode("\r\n\r\n", response($reply, $keys), 2);
                fwrite($connection, $head === '' ? '' : "{$head}\r\n\r\n");
                usleep(20_000); // Most events come long after the head.
                fwrite($connection, $body);
                if (!isset($case['error']) && $at === count($case['responses']) - 1) {
                    sleep(60); // Until it is killed: what has come must not wait for what comes later.
                }
                fclose($connection);
            }
            posix_kill(posix_getpid(), SIGKILL); // without the parent's shutdown
        }
        fclose($childs);
        $client = new Client('http://' . stream_socket_get_name($server, false), ...$partner);
        $taken = [];
        $take = static function () use ($client, $case, $keys, &$taken): void {
            foreach ($client->streamEvents([$keys['k1']], $case['after'] ?? null) as $place => $event) {
                $taken[] = [(string) $place, $event['eventId'] ?? null];
                if (!isset($case['error']) && count($taken) === count($case['taken'])) {
                    return;
                }
            }
        };
        try {
            if (isset($case['error'])) {
                $kinds = ['refused' => ApiError::class, 'no answer' => NoAnswerError::class, 'not verified' => CallbackRefused::class];
                $error = Checks::thrown($kinds[$case['error']['kind']], $take);
                Checks::same($case['error']['code'] ?? null, $error instanceof ApiError ? $error->code : null);
                Checks::same(true, str_contains($error->getMessage(), $case['error']['says'] ?? ''), $error->getMessage());
            } else {
                $take();
            }
        } finally {
            posix_kill($child, SIGKILL);
            pcntl_waitpid($child, $status);
        }
        Checks::same($case['taken'], $taken);
        Checks::same($case['asked'], explode("\n", trim((string) stream_get_contents($own))));
    });
}

Checks::run('streams with its own transport only', static function () use ($partner): void {
    $client = new Client('https://api.example', ...$partner, transport: new Service([]));
    Checks::thrown(\LogicException::class, static fn () => $client->streamEvents([]));
});

/** Empty databases to store events in, by the name of their system. Each gives a way to connect. @return array<string, \Closure(): \PDO> */
function databases(): array
{
    $file = (string) tempnam(sys_get_temp_dir(), 'sdk');
    $given = ['SQLite' => "sqlite:{$file}"] + (getenv('DATABASE_DSN') === false ? [] : ['PostgreSQL' => getenv('DATABASE_DSN')]);
    return array_map(static function (string $dsn): \Closure {
        $connect = static fn () => new \PDO($dsn);
        $connect()->exec(PdoEventStore::SQL . 'create table orders (paid_by text);');
        return $connect;
    }, $given);
}

foreach (databases() as $system => $connect) {
    Checks::run("stores an event in the transaction that applies it, in {$system}", static function () use ($connect): void {
        $pdo = $connect();
        $store = new PdoEventStore($pdo);
        $pay = static fn (string $id) => $pdo->exec("insert into orders values ('{$id}')");
        $receive = static fn (string $id, int $version) => $store->receive($id, 'payment:p-1', $version, static fn () => $pay($id));
        $given = [['e-1', 1], ['e-1', 1], ['e-3', 3], ['e-2', 2], ['e-2', 2]];
        Checks::same(['applied', 'repeat', 'applied', 'older', 'repeat'], array_map(static fn (array $one) => $receive(...$one), $given));
        Checks::thrown(\DomainException::class, static fn () => $store->receive('e-4', 'payment:p-1', 4, static function () use ($pay): void {
            $pay('half');
            throw new \DomainException('no');
        }));
        Checks::same('applied', $receive('e-4', 4));
        Checks::same(['e-1', 'e-3', 'e-4'], $pdo->query('select paid_by from orders')->fetchAll(\PDO::FETCH_COLUMN));
    });

    Checks::run("applies an event once when ten processes receive it at once, in {$system}", static function () use ($connect): void {
        $children = [];
        for ($process = 0; $process < 10; $process++) {
            $child = pcntl_fork();
            if ($child === 0) {
                $pdo = $connect();
                $pdo->setAttribute(\PDO::ATTR_TIMEOUT, 60);
                (new PdoEventStore($pdo))->receive('e-5', 'payment:p-2', 1, static fn () => $pdo->exec("insert into orders values ('e-5')"));
                posix_kill(posix_getpid(), SIGKILL);
            }
            $children[] = $child;
        }
        foreach ($children as $child) {
            pcntl_waitpid($child, $status);
        }
        Checks::same(['e-5'], $connect()->query("select paid_by from orders where paid_by = 'e-5'")->fetchAll(\PDO::FETCH_COLUMN));
    });
}

Checks::run('wants a PDO that throws', static function (): void {
    $silent = new \PDO('sqlite::memory:', options: [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_SILENT]);
    Checks::thrown(\InvalidArgumentException::class, static fn () => new PdoEventStore($silent));
});

[$passed, $failed] = [Checks::$passed, Checks::$failed];
echo $failed === 0 ? "{$passed} passed\n" : "{$failed} failed, {$passed} passed\n";
exit($failed === 0 ? 0 : 1);
