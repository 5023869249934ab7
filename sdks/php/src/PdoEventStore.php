<?php

declare(strict_types=1);

namespace Pay\Sdk;

/**
 * Records events in the database of your orders, in one transaction with what `$apply` does on the same connection. An event is
 * applied once, also when several processes receive it at once. Tested on SQLite and PostgreSQL, and on no other database.
 */
final class PdoEventStore implements EventStore
{
    /** The tables. */
    public const SQL = <<<'SQL'
        create table callback_events (
          event_id varchar(64) primary key,
          received_at timestamp not null default current_timestamp
        );
        create table callback_aggregates (
          aggregate_id varchar(160) primary key,
          version integer not null
        );
        SQL;

    /** @param \PDO $pdo it throws exceptions, as it does unless told otherwise */
    public function __construct(private readonly \PDO $pdo)
    {
        if ($pdo->getAttribute(\PDO::ATTR_ERRMODE) !== \PDO::ERRMODE_EXCEPTION) {
            throw new \InvalidArgumentException('the PDO must throw exceptions: PDO::ATTR_ERRMODE');
        }
    }

    public function receive(string $eventId, string $aggregateId, int $aggregateVersion, callable $apply): string
    {
        while (true) {
            $this->pdo->beginTransaction();
            try {
                $answer = $this->record($eventId, $aggregateId, $aggregateVersion);
                if ($answer === 'applied') {
                    $apply();
                }
                if ($answer === 'repeat' || $answer === 'behind') {
                    $this->pdo->rollBack();
                } else {
                    $this->pdo->commit();
                }
            } catch (\Throwable $error) {
                $this->pdo->rollBack();
                throw $error;
            }
            if ($answer !== 'behind') {
                return $answer;
            }
        }
    }

    /** `behind`: another transaction has recorded an event of this aggregate meanwhile, and its row is not locked here. */
    private function record(string $eventId, string $aggregateId, int $version): string
    {
        if (!$this->isInserted('insert into callback_events (event_id) values (?)', [$eventId])) {
            return 'repeat';
        }
        // The row stays locked until the transaction ends: other events of this aggregate wait.
        $moved = $this->run('update callback_aggregates set version = ? where aggregate_id = ? and version <= ?', [$version, $aggregateId, $version]);
        if ($moved->rowCount() > 0) {
            return 'applied';
        }
        $found = $this->run('select version from callback_aggregates where aggregate_id = ?', [$aggregateId])->fetchColumn();
        if ($found !== false) {
            return ['older', 'applied', 'behind'][1 + ($version <=> (int) $found)];
        }
        $isFirst = $this->isInserted('insert into callback_aggregates (aggregate_id, version) values (?, ?)', [$aggregateId, $version]);
        return $isFirst ? 'applied' : 'behind';
    }

    private function isInserted(string $sql, array $values): bool
    {
        try {
            $this->run($sql, $values);
            return true;
        } catch (\PDOException $error) {
            // 23: integrity constraint violation, in every database.
            if (str_starts_with((string) $error->getCode(), '23')) {
                return false;
            }
            throw $error;
        }
    }

    private function run(string $sql, array $values): \PDOStatement
    {
        $statement = $this->pdo->prepare($sql);
        $statement->execute($values);
        return $statement;
    }
}
