<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Who signs, and the signature of a request: docs/partners/signing.md. */
final class Identity
{
    private readonly string $publicKey;
    private readonly string $secretKey;

    /**
     * @param string $publicKey the OpenSSH line, as registered
     *
     * @throws \InvalidArgumentException that says what a text is and what to give instead, or that the keys do not match
     */
    public function __construct(
        private readonly string $partnerID,
        string $publicKey,
        #[\SensitiveParameter] string $privateKeyPem,
    ) {
        $pair = sodium_crypto_sign_seed_keypair(KeyText::secret($privateKeyPem));
        $this->secretKey = sodium_crypto_sign_secretkey($pair);
        $this->publicKey = KeyText::publicLine($publicKey);
        if ($this->publicKey !== KeyText::lineOf(sodium_crypto_sign_publickey($pair))) {
            throw new \InvalidArgumentException(KeyText::NO_PAIR);
        }
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
