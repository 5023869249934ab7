<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Where a receiver records the events that it has applied. */
interface EventStore
{
    /**
     * In one transaction: record the event under a unique constraint, compare its version with the highest one of its
     * aggregate, and run `$apply`, unless it is a repeat or older. If `$apply` throws, nothing may be recorded.
     *
     * @param callable(): void $apply
     *
     * @return 'applied'|'repeat'|'older'
     */
    public function receive(string $eventId, string $aggregateId, int $aggregateVersion, callable $apply): string;
}
