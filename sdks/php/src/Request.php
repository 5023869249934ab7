<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** One attempt, as a transport sends it. */
final class Request
{
    /**
     * @param string $url to be sent byte for byte, because exactly these bytes are signed
     * @param array<string, string> $headers
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}
