<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Follows a stream of events through every break. @internal */
final class EventStream
{
    private const PATH = '/api/event-stream';
    /** Doubles with each break in a row. */
    private const PAUSE_SECONDS = 0.05;
    private const PAUSE_MAX_SECONDS = 5.0;

    private bool $wasOpen = false;
    private bool $hasBegun = false;
    private bool $wasReadAnew = false;
    private int $breaks = 0;

    /**
     * @param \Closure(string): (\Generator<int, string>|Response) $open sends a signed request for a target
     * @param list<CallbackKey> $keys
     */
    public function __construct(private readonly \Closure $open, private readonly array $keys, private ?string $place)
    {
    }

    /** @return \Generator<string, ?array> */
    public function events(): \Generator
    {
        while (true) {
            foreach (self::messages($this->lines()) as $message) {
                $this->breaks = 0;
                $id = $message['id'];
                if (isset($message['data'])) {
                    $event = $this->verified($message['data']);
                    if ($event === null) {
                        break;
                    }
                    yield $id => $event;
                    $this->wasReadAnew = false;
                } elseif (!$this->hasBegun) {
                    yield $id => null;
                    $this->hasBegun = true;
                }
                $this->place = $id;
            }
            $this->breaks++;
            usleep((int) (1_000_000 * min(self::PAUSE_SECONDS * 2 ** $this->breaks, self::PAUSE_MAX_SECONDS)));
        }
    }

    /**
     * The lines of the next response; none while the service is away or busy.
     *
     * @return iterable<string>
     */
    private function lines(): iterable
    {
        try {
            $opened = ($this->open)(self::PATH . Wire::query(['after' => $this->place]));
            if ($opened instanceof Response && $opened->status === 200) {
                throw new \UnexpectedValueException('the response is not from this API');
            }
        } catch (\RuntimeException $cause) {
            return $this->wasOpen ? [] : throw new NoAnswerError($cause, null);
        }
        if ($opened instanceof Response) {
            return $opened->status === 429 || $opened->status >= 500 ? [] : throw new ApiError($opened, null, null);
        }
        $this->wasOpen = true;
        return $opened;
    }

    /**
     * What was cut is no message.
     *
     * @param iterable<string> $lines
     *
     * @return \Generator<int, array<string, string>>
     */
    private static function messages(iterable $lines): \Generator
    {
        $fields = [];
        foreach ($lines as $line) {
            if ($line !== '') {
                [$name, $value] = array_pad(explode(': ', $line, 2), 2, '');
                $fields[$name] = $value;
                continue;
            }
            if (isset($fields['id'])) {
                yield $fields;
            }
            $fields = [];
        }
    }

    /**
     * Null the first time that an event is not verified: it may have waited here until its signature was stale, or its key replaced, and is read once more.
     *
     * @throws CallbackRefused
     */
    private function verified(string $data): ?array
    {
        $message = json_decode($data, true);
        try {
            return Callbacks::verify((string) ($message['body'] ?? ''), (array) ($message['headers'] ?? []), $this->keys);
        } catch (CallbackRefused $refused) {
            if ($this->wasReadAnew) {
                throw $refused;
            }
            $this->wasReadAnew = true;
            return null;
        }
    }
}
