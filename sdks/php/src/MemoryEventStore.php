<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** For tests and trials: everything is lost when the process ends, which is after each request under most servers. */
final class MemoryEventStore implements EventStore
{
    /** @var array<string, true> */
    private array $seen = [];
    /** @var array<string, int> */
    private array $versions = [];

    public function receive(string $eventId, string $aggregateId, int $aggregateVersion, callable $apply): string
    {
        if (isset($this->seen[$eventId])) {
            return 'repeat';
        }
        $isOlder = $aggregateVersion < ($this->versions[$aggregateId] ?? 0);
        if (!$isOlder) {
            $apply();
            $this->versions[$aggregateId] = $aggregateVersion;
        }
        $this->seen[$eventId] = true;
        return $isOlder ? 'older' : 'applied';
    }
}
