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
        $moment = static fn (string $name): ?\DateTimeImmutable => $text($name) === null ? null : new \DateTimeImmutable($text($name));
        $details = is_array($members['details'] ?? null) ? array_filter($members['details'], is_array(...)) : [];
        $this->details = array_map(
            static fn (array $one) => ['field' => (string) ($one['field'] ?? ''), 'message' => (string) ($one['message'] ?? '')],
            array_values($details),
        );
        $sentences = array_map(static fn (array $one) => "{$one['field']}: {$one['message']}", $this->details);
        parent::__construct(implode('; ', [$text('error') ?? "HTTP status {$response->status}", ...$sentences]));
        $this->code = $text('code') ?? 'UNREADABLE';
        $this->status = $response->status;
        $this->requestId = $text('requestId') ?? $response->headers['x-request-id'] ?? null;
        $this->nextChargeAt = $moment('nextChargeAt');
        $this->retryNotBefore = $moment('retryNotBefore');
        $this->paymentId = $text('paymentId');
        $this->refundId = $text('refundId');
    }
}
