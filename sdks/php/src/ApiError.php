<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** The service refused the request. Nothing was done, unless `$code` says otherwise. */
final class ApiError extends \RuntimeException
{
    /** @var string what to branch on; `UNREADABLE` if the body is not from the service: a proxy in between responded */
    public $code;
    public readonly int $status;
    /** @var list<array{field: string, message: string}> the invalid fields or, in TEST, the reasons for a 401 */
    public readonly array $details;
    /** Quote it when you contact support. */
    public readonly ?string $requestId;
    /** With PERIOD_NOT_ELAPSED: the earliest time of the next charge. */
    public readonly ?\DateTimeImmutable $nextChargeAt;
    /** With RETRY_NOT_ALLOWED: the earliest time of the next attempt; null: never with this card. */
    public readonly ?\DateTimeImmutable $retryNotBefore;
    /** With DUPLICATE_ORDER: your payment that already uses the number; with PREVIOUS_CHARGE_NOT_FINISHED: the open charge. */
    public readonly ?string $paymentId;
    /** With DUPLICATE_ORDER for a refund: your refund that already uses the number. */
    public readonly ?string $refundId;

    /** @param string|null $idempotencyKey pass it again to repeat the same request */
    public function __construct(
        public readonly Response $response,
        public readonly ?int $retryAfterSeconds,
        public readonly ?string $idempotencyKey,
    ) {
        $members = Wire::read($response->body) ?? [];
        $text = static fn (string $name): ?string => is_string($members[$name] ?? null) ? $members[$name] : null;
        $moment = static fn (string $name): ?\DateTimeImmutable => $text($name) === null ? null : self::moment($text($name));
        $details = is_array($members['details'] ?? null) ? array_filter($members['details'], is_array(...)) : [];
        $this->details = array_map(
            static fn (array $one) => array_map(strval(...), array_filter(['field' => $one['field'] ?? '', 'message' => $one['message'] ?? ''], is_scalar(...)) + ['field' => '', 'message' => '']),
            array_values($details),
        );
        $sentences = array_map(static fn (array $one) => "{$one['field']}: {$one['message']}", $this->details);
        $clock = $response->status === 401 ? self::clockFault($response->headers['date'] ?? '') : [];
        parent::__construct(implode('; ', [$text('error') ?? "HTTP status {$response->status}", ...$sentences, ...$clock]));
        // Also a code that this version does not know: a newer service may send it.
        $this->code = preg_match('/^[A-Z][A-Z_]+$/D', $text('code') ?? '') === 1 ? $text('code') : 'UNREADABLE';
        $this->status = $response->status;
        $this->requestId = $text('requestId') ?? $response->headers['x-request-id'] ?? null;
        $this->nextChargeAt = $moment('nextChargeAt');
        $this->retryNotBefore = $moment('retryNotBefore');
        $this->paymentId = $text('paymentId');
        $this->refundId = $text('refundId');
    }

    private static function moment(string $text): ?\DateTimeImmutable
    {
        try {
            return new \DateTimeImmutable($text);
        } catch (\Exception) {
            return null;
        }
    }

    /** @return list<string> what to say if the service's clock and ours differ by more than the 300 seconds that they may */
    private static function clockFault(string $date): array
    {
        $moment = \DateTimeImmutable::createFromFormat(\DATE_RFC7231, $date);
        $behind = $moment === false ? 0 : $moment->getTimestamp() - time();
        $which = $behind > 0 ? 'behind' : 'ahead of';
        return abs($behind) <= 300 ? [] : ['the clock of this machine is ' . abs($behind) . " s {$which} the service's"];
    }
}
