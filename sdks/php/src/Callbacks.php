<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Verification of callbacks: docs/partners/callbacks.md. */
final class Callbacks
{
    public const TOLERANCE_SECONDS = 300;
    /** The most entries of X-Service-Signature that are read: the service sends one, two during a rotation. */
    public const SIGNATURES_MAX = 8;

    /**
     * The event of a callback: freshness is checked, then the signature over the exact bytes, then the envelope. Event types
     * unknown to this version are verified like any other: add a default branch.
     *
     * @param string $rawBody the body as received, before any parser
     * @param array<string, string|list<string>> $headers
     * @param list<CallbackKey> $keys
     * @param int|null $now Unix time
     *
     * @throws CallbackRefused
     */
    public static function verify(string $rawBody, array $headers, array $keys, ?int $now = null): array
    {
        $given = self::single($headers);
        $timestamp = $given['x-service-timestamp'] ?? '';
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            throw new CallbackRefused('unsigned', 'X-Service-Timestamp is not a Unix time in seconds');
        }
        $signature = $given['x-service-signature'] ?? throw new CallbackRefused('unsigned', 'X-Service-Signature is missing');
        if (abs(($now ?? time()) - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            throw new CallbackRefused('stale', 'the timestamp is more than ' . self::TOLERANCE_SECONDS . ' s off');
        }
        $entries = array_map(trim(...), array_slice(explode(',', $signature, self::SIGNATURES_MAX + 1), 0, self::SIGNATURES_MAX));
        $named = array_map(static fn (string $entry) => explode(':', $entry, 2)[0], $entries);
        $known = array_filter($keys, static fn (CallbackKey $key) => in_array($key->keyId, $named, true));
        if ($known === []) {
            throw new CallbackRefused('unknown key', 'signed with unknown keys: ' . implode(', ', $named));
        }
        $isSigned = false;
        foreach ($known as $key) {
            $expected = self::entry($key, $timestamp, $rawBody);
            foreach ($entries as $entry) {
                $isSigned = hash_equals($expected, $entry) || $isSigned;
            }
        }
        if (!$isSigned) {
            throw new CallbackRefused('bad signature', 'the signature does not match the body: was it parsed or rewritten?');
        }
        return self::event($rawBody, $given['x-service-event-id'] ?? null)
            ?? throw new CallbackRefused('malformed', 'the signed body is not an event of schemaVersion 1');
    }

    /**
     * The headers that the service would send, for tests of your receiver.
     *
     * @param list<CallbackKey> $keys
     *
     * @return array<string, string>
     */
    public static function signedHeaders(string $rawBody, array $keys, int $now): array
    {
        return [
            'X-Service-Timestamp' => (string) $now,
            'X-Service-Signature' => implode(',', array_map(static fn (CallbackKey $key) => self::entry($key, (string) $now, $rawBody), $keys)),
            'X-Service-Event-ID' => (string) (json_decode($rawBody, true)['eventId'] ?? ''),
        ];
    }

    private static function entry(CallbackKey $key, string $timestamp, string $rawBody): string
    {
        return "{$key->keyId}:v1=" . hash_hmac('sha256', "{$timestamp}.{$rawBody}", $key->bytes);
    }

    private static function event(string $rawBody, ?string $eventId): ?array
    {
        $event = json_decode($rawBody, true);
        $isEvent = is_array($event)
            && ($event['schemaVersion'] ?? null) === 1
            && is_string($event['eventId'] ?? null)
            && $event['eventId'] === $eventId
            && is_string($event['type'] ?? null)
            && is_int($event['aggregateVersion'] ?? null)
            && is_string($event['createdAt'] ?? null)
            && is_array($event['data'] ?? null);
        return $isEvent ? $event : null;
    }

    /**
     * @param array<string, string|list<string>> $headers
     *
     * @return array<string, string>
     */
    private static function single(array $headers): array
    {
        $single = [];
        foreach ($headers as $name => $value) {
            $single[strtolower((string) $name)] = is_array($value) ? (string) ($value[0] ?? '') : (string) $value;
        }
        return $single;
    }
}
