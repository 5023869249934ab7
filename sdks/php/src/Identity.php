<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Who signs, and the signature of a request: docs/signing.md. */
final class Identity
{
    /** DER of a PKCS#8 Ed25519 key, up to its 32 bytes. */
    private const PKCS8 = "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";

    private readonly string $publicKey;
    private readonly string $secretKey;

    /**
     * @param string $publicKey the OpenSSH line exactly as registered
     *
     * @throws \InvalidArgumentException if the private key is not an Ed25519 PKCS#8 PEM, or does not match `$publicKey`
     */
    public function __construct(
        private readonly string $partnerID,
        string $publicKey,
        #[\SensitiveParameter] string $privateKeyPem,
    ) {
        $this->publicKey = self::trimmed($publicKey);
        $der = base64_decode((string) preg_replace('/-----[^-]+-----|\s+/', '', self::trimmed($privateKeyPem)), true);
        if ($der === false || strlen($der) !== 48 || !str_starts_with($der, self::PKCS8)) {
            throw new \InvalidArgumentException('privateKeyPem is not an Ed25519 key as PKCS#8 PEM');
        }
        $pair = sodium_crypto_sign_seed_keypair(substr($der, 16));
        $this->secretKey = sodium_crypto_sign_secretkey($pair);
        $blob = pack('N', 11) . 'ssh-ed25519' . pack('N', 32) . sodium_crypto_sign_publickey($pair);
        if (array_slice(explode(' ', $this->publicKey), 0, 2) !== ['ssh-ed25519', base64_encode($blob)]) {
            throw new \InvalidArgumentException('publicKey and privateKeyPem do not match');
        }
    }

    /** The text of a file without spaces around, and without the byte order mark that some editors put before it. */
    private static function trimmed(#[\SensitiveParameter] string $text): string
    {
        return trim(str_starts_with($text, "\u{FEFF}") ? substr($text, 3) : $text);
    }

    /** The value of the Authorization header of one attempt. `$target` is the path with its query. */
    public function sign(string $method, string $target, string $idempotencyKey, string $body, ?string $timestamp = null, ?string $nonce = null): string
    {
        $timestamp ??= (string) time();
        $nonce ??= bin2hex(random_bytes(16));
        $canonical = self::canonical($timestamp, $nonce, $method, $target, $idempotencyKey, $body);
        $sign = base64_encode(sodium_crypto_sign_detached($canonical, $this->secretKey));
        $members = ['partnerID' => $this->partnerID, 'key' => $this->publicKey, 'sign' => $sign, 'timestamp' => $timestamp, 'nonce' => $nonce];
        return json_encode($members, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    }

    /** The seven signed parts, joined by line feeds, with none at the end. */
    public static function canonical(string $timestamp, string $nonce, string $method, string $target, string $idempotencyKey, string $body): string
    {
        [$path, $query] = array_pad(explode('?', $target, 2), 2, '');
        return implode("\n", [$timestamp, $nonce, strtoupper($method), $path, self::canonicalQuery($query), $idempotencyKey, hash('sha256', $body)]);
    }

    /** Names and values decoded, encoded again by RFC 3986 and sorted by encoded name. */
    public static function canonicalQuery(string $query): string
    {
        $pairs = [];
        foreach (explode('&', $query) as $piece) {
            if ($piece !== '') {
                $pairs[] = array_map(static fn (string $text) => rawurlencode(urldecode($text)), array_pad(explode('=', $piece, 2), 2, ''));
            }
        }
        usort($pairs, static fn (array $a, array $b) => strcmp($a[0], $b[0]) ?: strcmp($a[1], $b[1]));
        return implode('&', array_map(static fn (array $pair) => "{$pair[0]}={$pair[1]}", $pairs));
    }
}
