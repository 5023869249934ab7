<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** A callback key as issued. During a rotation you have two. */
final class CallbackKey
{
    /** @internal */
    public readonly string $bytes;

    /**
     * @param string $secret the base64 text
     *
     * @throws \InvalidArgumentException if it is not base64 of 32 bytes
     */
    public function __construct(public readonly string $keyId, #[\SensitiveParameter] string $secret)
    {
        $bytes = base64_decode($secret, true);
        if ($bytes === false || strlen($bytes) !== 32 || base64_encode($bytes) !== $secret) {
            throw new \InvalidArgumentException("the secret of callback key {$keyId} is not base64 of 32 bytes: pass it as it was issued");
        }
        $this->bytes = $bytes;
    }
}
