<?php

declare(strict_types=1);

namespace Pay\Sdk;

/**
 * An attempt got no response, or one that is not from the service, and no later one decided: the outcome is unknown. Repeat the call with the same body and
 * this key.
 */
final class NoAnswerError extends \RuntimeException
{
    public function __construct(\Throwable $cause, public readonly ?string $idempotencyKey)
    {
        parent::__construct("no answer from the service: {$cause->getMessage()}", 0, $cause);
    }
}
