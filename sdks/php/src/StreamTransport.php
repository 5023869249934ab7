<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** PHP's own streams: a connection per attempt, and no extension but openssl. */
final class StreamTransport implements Transport
{
    /** The service sends something every ten seconds: after this time a stream leads nowhere. */
    private const SILENCE_SECONDS = 30.0;

    /** @param float $timeoutSeconds to connect, and for each wait for bytes: a whole attempt may take longer */
    public function __construct(private readonly float $timeoutSeconds = 30.0)
    {
    }

    public function send(Request $request): Response
    {
        [$stream, $status, $headers] = self::opened($request, $this->timeoutSeconds);
        $body = stream_get_contents($stream);
        $timedOut = stream_get_meta_data($stream)['timed_out'];
        fclose($stream);
        $whole = $timedOut || $body === false ? null : self::whole($headers, $body);
        return new Response($status, $headers, $whole ?? throw new \RuntimeException('the connection was cut'));
    }

    /**
     * The lines of a stream of events as they come, up to where it breaks off; or the response, if it is no stream.
     *
     * @return \Generator<int, string>|Response
     *
     * @throws \RuntimeException if there is no response
     */
    public function stream(Request $request): \Generator|Response
    {
        [$stream, $status, $headers] = self::opened($request, self::SILENCE_SECONDS);
        $parts = self::parts($stream, self::isChunked($headers));
        if ($status === 200 && str_starts_with($headers['content-type'] ?? '', 'text/event-stream')) {
            return self::lines($parts);
        }
        return new Response($status, $headers, implode('', iterator_to_array($parts, false)));
    }

    /**
     * @param iterable<string> $parts
     *
     * @return \Generator<int, string>
     */
    private static function lines(iterable $parts): \Generator
    {
        $rest = '';
        foreach ($parts as $part) {
            $lines = explode("\n", $rest . $part);
            $rest = array_pop($lines);
            yield from $lines;
        }
    }

    /**
     * What a response consists of as it comes, up to where it breaks off.
     *
     * @param resource $stream
     *
     * @return \Generator<int, string>
     */
    private static function parts(mixed $stream, bool $isChunked): \Generator
    {
        try {
            while (!$isChunked && ($part = (string) fread($stream, 8192)) !== '') {
                yield $part;
            }
            while ($isChunked && preg_match('/^([0-9a-f]{1,7})(?:;.*)?\r\n$/iD', (string) fgets($stream), $found) === 1) {
                $length = (int) hexdec($found[1]) + 2; // with the end of its line
                for ($part = ''; strlen($part) < $length && ($more = (string) fread($stream, $length - strlen($part))) !== ''; $part .= $more) {
                }
                if (strlen($part) < $length || $length === 2) {
                    return;
                }
                yield substr($part, 0, -2);
            }
        } finally {
            fclose($stream);
        }
    }

    private static function isChunked(array $headers): bool
    {
        return strtolower($headers['transfer-encoding'] ?? '') === 'chunked';
    }

    /** @return array{resource, int, array<string, string>} */
    private static function opened(Request $request, float $timeoutSeconds): array
    {
        $lines = ['Connection: close', 'Content-Length: ' . strlen($request->body)];
        foreach ($request->headers as $name => $value) {
            $lines[] = "{$name}: {$value}";
        }
        $context = stream_context_create(['http' => [
            'method' => $request->method,
            'header' => $lines,
            'content' => $request->body,
            'protocol_version' => 1.1,
            'ignore_errors' => true,
            'follow_location' => 0,
            'auto_decode' => false, // it takes chunks that were cut for whole, and gives a stream of them only in large pieces
            'timeout' => $timeoutSeconds,
        ]]);
        $stream = @fopen($request->url, 'r', false, $context);
        if ($stream === false) {
            throw new \RuntimeException(error_get_last()['message'] ?? 'no connection');
        }
        return [$stream, ...self::head(stream_get_meta_data($stream)['wrapper_data'])];
    }

    /** The body, or null if its end was not received. Without a length or chunks, that cannot be known. */
    private static function whole(array $headers, string $bytes): ?string
    {
        if (!self::isChunked($headers)) {
            return ($headers['content-length'] ?? null) === (string) strlen($bytes) ? $bytes : null;
        }
        $body = '';
        for ($at = 0; preg_match('/\G([0-9a-f]{1,7})(?:;[^\r\n]*)?\r\n/i', $bytes, $found, 0, $at) === 1; $at += $size + 2) {
            $at += strlen($found[0]);
            $size = (int) hexdec($found[1]);
            if ($size === 0) {
                return $body;
            }
            if (substr($bytes, $at + $size, 2) !== "\r\n") {
                return null;
            }
            $body .= substr($bytes, $at, $size);
        }
        return null;
    }

    /**
     * @param list<string> $lines
     *
     * @return array{int, array<string, string>}
     */
    private static function head(array $lines): array
    {
        $status = 0;
        $headers = [];
        foreach ($lines as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found) === 1) {
                $status = (int) $found[1];
                $headers = []; // of the response before, such as 100 Continue
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $name = strtolower($name);
                // Of all that comes twice, this alone is read line by line.
                $before = $name === 'retry-after' && isset($headers[$name]) ? "{$headers[$name]}\n" : '';
                $headers[$name] = $before . trim($value);
            }
        }
        return [$status, $headers];
    }
}
