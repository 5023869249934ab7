<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Not authentic, or not an event. Answer 400 if `$reason` is `malformed`, otherwise 401. */
final class CallbackRefused extends \RuntimeException
{
    /** @param string $reason `unsigned`, `stale`, `unknown key`, `bad signature` or `malformed` */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
