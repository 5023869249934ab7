<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** PHP's own streams: a connection per attempt, and no extension but openssl. */
final class StreamTransport implements Transport
{
    /** @param float $timeoutSeconds to connect, and for each wait for bytes: a whole attempt may take longer */
    public function __construct(private readonly float $timeoutSeconds = 30.0)
    {
    }

    public function send(Request $request): Response
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
            'auto_decode' => false, // it takes chunks that were cut for whole
            'timeout' => $this->timeoutSeconds,
        ]]);
        $stream = @fopen($request->url, 'r', false, $context);
        if ($stream === false) {
            throw new \RuntimeException(error_get_last()['message'] ?? 'no connection');
        }
        $body = stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        [$status, $headers] = self::head($meta['wrapper_data']);
        $whole = $meta['timed_out'] || $body === false ? null : self::whole($headers, $body);
        return new Response($status, $headers, $whole ?? throw new \RuntimeException('the connection was cut'));
    }

    /** The body, or null if its end was not received. Without a length or chunks, that cannot be known. */
    private static function whole(array $headers, string $bytes): ?string
    {
        if (strtolower($headers['transfer-encoding'] ?? '') !== 'chunked') {
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
                $headers[strtolower($name)] = trim($value);
            }
        }
        return [$status, $headers];
    }
}
