<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** PHP's own streams: a connection per attempt, and no extension but openssl. */
final class StreamTransport implements Transport
{
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
            'timeout' => $this->timeoutSeconds,
        ]]);
        $stream = @fopen($request->url, 'r', false, $context);
        if ($stream === false) {
            throw new \RuntimeException(error_get_last()['message'] ?? 'no connection');
        }
        $body = stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        $response = self::read($meta['wrapper_data'], (string) $body);
        $length = $response->headers['content-length'] ?? (string) strlen($response->body);
        if ($meta['timed_out'] || $body === false || $length !== (string) strlen($response->body)) {
            throw new \RuntimeException('the connection was cut');
        }
        return $response;
    }

    /** @param list<string> $lines */
    private static function read(array $lines, string $body): Response
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
        return new Response($status, $headers, $body);
    }
}
