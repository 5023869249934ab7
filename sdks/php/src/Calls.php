<?php

// Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.

declare(strict_types=1);

namespace Pay\Sdk;

/**
 * Every call of the API. Records are arrays with the names of the document. Every amount is a decimal string, because a float cannot
 * represent every amount. A POST without an `$idempotencyKey` gets a new one.
 *
 * @phpstan-type PageOptions array{limit?: int, pageToken?: string}
 * @phpstan-type CardListOptions array{limit?: int, pageToken?: string, orderID?: string, customerID?: string, paymentPointID?: string, from?: string, to?: string, status?: string}
 * @phpstan-type QrHistoryOptions array{limit?: int, pageToken?: string, from?: string, to?: string, status?: string}
 * @phpstan-type BindingFilter array{limit?: int, pageToken?: string, customerId: string, status?: string}
 * @phpstan-type EventFilter array{limit?: int, pageToken?: string, objectId?: string, type?: string, status?: string, from?: string, to?: string}
 * @phpstan-type RegisterListOptions array{limit?: int, pageToken?: string, from?: string, to?: string}
 * @phpstan-type WithdrawalFilter array{limit?: int, pageToken?: string, storeId?: string, status?: string}
 * @phpstan-type Binding array{bindingId: string, customerId: string, status: string, consentId: string, period: string, lastChargedAt: string, nextChargeAt: string, createdAt: string, cardMask?: string, cardExpiry?: string, revokedAt?: string}
 * @phpstan-type CallbackEvent array{eventId: string, type: string, objectId: string, aggregateVersion: int, status: string, attemptCount: int, recordedAt: string, nextAttemptAt: string|null, endedAt: string|null}
 * @phpstan-type CallbackAttempt array{number: int, url: string, keyIds: list<string>, startedAt: string, durationMs: int, httpStatus: int|null, failure: string|null, outcome: 'DELIVERED'|'REFUSED'|'RETRY'|'FLAGGED', answerBase64: string|null, nextAttemptAt: string|null, isReplay: bool}
 * @phpstan-type CallbackEventStory array{eventId: string, type: string, objectId: string, aggregateVersion: int, status: string, attemptCount: int, recordedAt: string, nextAttemptAt: string|null, endedAt: string|null, body: string, attempts: list<CallbackAttempt>}
 * @phpstan-type CallbackSecret array{secret: string, keyId: string, algorithm: 'HMAC-SHA256', signatureHeader: 'X-Service-Signature', issuedAt: string, replayUntil: string}
 * @phpstan-type CardPayment array{id: string, orderID: string, amount: string, currency: 'RUB', status: string, paymentUrl?: string, expiresAt: string, statusUrl: string, paymentPointID: string, customerID: string, description: string, paymentMethod: 'CARD'|'CARD_BINDING', bindingId?: string, failureCode?: string, statusReason?: string, retryAdvice?: string, bankOperationId: string|null, refundedAmount: string, createdAt: string, updatedAt: string}
 * @phpstan-type NewCardPayment array{paymentPointID?: string, orderID: string, amount: string, currency: 'RUB', description: string, customerID: string, returnUrl?: string, savePaymentMethod?: bool, recurringConsent?: RecurringConsent, receipt?: Receipt}
 * @phpstan-type NewQrPayment array{paymentPointID?: string, amount: string, currency?: 'RUB', description?: string, returnUrl?: string, receipt?: Receipt}
 * @phpstan-type NewRecurringPayment array{merchantOrderId: string, amount: string, currency: 'RUB', bindingId: string, description: string, receipt?: Receipt}
 * @phpstan-type NewRefund array{amount?: string, reason?: string, merchantRefundId?: string, receipt?: Receipt}
 * @phpstan-type NewWithdrawalRequest array{storeId: string, amountUsdt: string, beneficiaryRef: string}
 * @phpstan-type CreatedCardPayment array{id: string, orderID: string, amount: string, currency: 'RUB', status: string, paymentUrl?: string, expiresAt: string, statusUrl: string}
 * @phpstan-type CreatedQrPayment array{id: string, status: string, amount: string, currency: 'RUB', paymentMethod: 'SBP_DYNAMIC_QR', paymentPointID: string, nspkurl?: string, qrImage?: string, paymentUrl?: string, expiresAt: string, createdAt: string, statusUrl: string}
 * @phpstan-type Endpoints array{callbackUrl: string|null, returnUrl: string|null, extraEvents?: list<string>, updatedAt: string|null}
 * @phpstan-type IssueCallbackSecret array{confirmSecureStorage: true}
 * @phpstan-type PaymentPoint array{paymentPointID: string, storeID: string, name: string, status: string, paymentMethods: list<string>}
 * @phpstan-type QrPayment array{id: string, status: string, amount: string, currency: 'RUB', paymentMethod: 'SBP_DYNAMIC_QR', paymentPointID: string, nspkurl?: string, qrImage?: string, paymentUrl?: string, expiresAt: string, createdAt: string, statusUrl: string, description?: string, failureCode?: string, statusReason?: string, bankOperationId: string|null, refundedAmount: string, updatedAt: string}
 * @phpstan-type ReceiptItem array{name: string, price: string, quantity: string, amount: string, vat: 'NONE'|'VAT0'|'VAT5'|'VAT7'|'VAT10'|'VAT20'|'VAT22'|'VAT105'|'VAT107'|'VAT110'|'VAT120'|'VAT122', paymentMethod: 'FULL_PREPAYMENT'|'PREPAYMENT'|'ADVANCE'|'FULL_PAYMENT'|'PARTIAL_PAYMENT'|'CREDIT'|'CREDIT_PAYMENT', paymentObject: 'COMMODITY'|'EXCISE'|'JOB'|'SERVICE'|'GAMBLING_BET'|'GAMBLING_PRIZE'|'LOTTERY'|'LOTTERY_PRIZE'|'INTELLECTUAL_ACTIVITY'|'PAYMENT'|'AGENT_COMMISSION'|'COMPOSITE'|'ANOTHER', measurementUnit?: 'PIECE'|'GRAM'|'KILOGRAM'|'TON'|'CENTIMETER'|'DECIMETER'|'METER'|'SQUARE_CENTIMETER'|'SQUARE_DECIMETER'|'SQUARE_METER'|'MILLILITER'|'LITER'|'CUBIC_METER'|'KILOWATT_HOUR'|'GIGACALORIE'|'DAY'|'HOUR'|'MINUTE'|'SECOND'|'KILOBYTE'|'MEGABYTE'|'GIGABYTE'|'TERABYTE'|'OTHER'}
 * @phpstan-type Receipt array{ffdVersion?: '1.05'|'1.2', taxation: 'OSN'|'USN_INCOME'|'USN_INCOME_OUTCOME'|'ESN'|'PATENT', email?: string, phone?: string, items: list<ReceiptItem>}
 * @phpstan-type RecurringConsent array{period: string, capture?: 'MERCHANT', reference?: string, version?: string, acceptedAt?: string, evidenceHash?: string}
 * @phpstan-type RecurringPayment array{paymentId: string, merchantOrderId: string, status: string, amount: string, currency: 'RUB', paymentMethod: 'CARD_BINDING', experience: 'OFF_SESSION', bindingId: string, createdAt: string, statusUrl: string}
 * @phpstan-type Refund array{refundId: string, orderId: string, merchantOrderId: string, merchantRefundId?: string, amount: string, refundedAmount: string, currency: 'RUB', status: string, reason?: string, failureCode?: string, statusReason?: string, bankOperationId: string|null, createdAt: string, updatedAt: string, completedAt?: string, statusUrl: string}
 * @phpstan-type Register array{date: string, currency: 'RUB', openingBalance: string, payments: string, recurringCharges: string, refunds: string, fees: string, closingBalance: string, lines: int, parts: int, madeAt: string}
 * @phpstan-type RegisterLine array{line: int, bookedAt: string, type: 'PAYMENT'|'RECURRING_CHARGE'|'REFUND'|'REFUND_FAILED', orderId: string, merchantOrderId: string, refundId: string|null, merchantRefundId: string|null, paymentPointID: string, paymentMethod: string, amount: string, fee: string, net: string, balance: string}
 * @phpstan-type RegisterPart array{date: string, currency: 'RUB', openingBalance: string, payments: string, recurringCharges: string, refunds: string, fees: string, closingBalance: string, lines: int, parts: int, madeAt: string, part: int, items: list<RegisterLine>}
 * @phpstan-type NewEndpoints array{callbackUrl: string, returnUrl: string, extraEvents?: list<string>}
 * @phpstan-type TestCallback array{eventId: string, type: 'payment.completed', orderId: string}
 * @phpstan-type UsdtRegister array{date: string, currency: 'USDT', openingAvailable: string, openingReserved: string, funded: string, requested: string, released: string, completed: string, closingAvailable: string, closingReserved: string, lines: int, parts: int, madeAt: string}
 * @phpstan-type UsdtRegisterLine array{line: int, bookedAt: string, type: 'FUNDING'|'WITHDRAWAL_REQUESTED'|'WITHDRAWAL_REJECTED'|'WITHDRAWAL_CANCELLED'|'WITHDRAWAL_FAILED'|'WITHDRAWAL_COMPLETED', storeId: string, withdrawalRequestId: string|null, fundingId: string|null, beneficiaryRef: string|null, transferReference: string|null, amount: string, availableChange: string, reservedChange: string, available: string, reserved: string}
 * @phpstan-type UsdtRegisterPart array{date: string, currency: 'USDT', openingAvailable: string, openingReserved: string, funded: string, requested: string, released: string, completed: string, closingAvailable: string, closingReserved: string, lines: int, parts: int, madeAt: string, part: int, items: list<UsdtRegisterLine>}
 * @phpstan-type WithdrawalBalance array{storeId: string, currency: 'USDT', availableUsdt: string, reservedUsdt: string}
 * @phpstan-type WithdrawalRequest array{withdrawalRequestId: string, storeId: string, amountUsdt: string, beneficiaryRef: string, status: string, statusReason?: string, reviewedAt?: string, completedAt?: string, transferReference?: string, createdAt: string, updatedAt: string}
 */
abstract class Calls
{
    /** @param array<string, mixed>|null $body */
    abstract protected function call(string $method, string $target, ?array $body = null, ?string $idempotencyKey = null, bool $amountIsNumber = false): array;

    abstract protected function text(string $target): string;

    /**
     * Create a card payment; the buyer pays at paymentUrl.
     * @param NewCardPayment $body
     * @return CreatedCardPayment
     */
    public function createCardPayment(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/card', body: $body, idempotencyKey: $idempotencyKey, amountIsNumber: true);
    }

    /**
     * List the partner's card payments and charges of saved cards, newest first, or find one by its order number.
     * @param CardListOptions $query
     * @return array{items: list<CardPayment>, nextPageToken: string|null}
     */
    public function listCardPayments(array $query = []): array
    {
        return $this->call('GET', '/api/card' . Wire::query($query));
    }

    /**
     * The payment or charge with this order number, if there is one.
     * @return CardPayment|null
     */
    public function findCardPayment(string $orderID): ?array
    {
        return $this->call('GET', '/api/card' . Wire::query(['orderID' => $orderID]))['items'][0] ?? null;
    }

    /**
     * Get a card payment and its current status.
     * @return CardPayment
     */
    public function readCardPayment(string $id): array
    {
        return $this->call('GET', '/api/card/' . Wire::part($id));
    }

    /**
     * Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED.
     * @return CardPayment
     */
    public function cancelCardPayment(string $id, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/card/' . Wire::part($id) . '/cancel', idempotencyKey: $idempotencyKey);
    }

    /**
     * Refund part of a payment, or all that remains.
     * @param NewRefund $body
     * @return Refund
     */
    public function refundCardPayment(string $id, array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/card/' . Wire::part($id) . '/refunds', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the refunds of a payment, newest first.
     * @param PageOptions $query
     * @return array{items: list<Refund>, nextPageToken: string|null}
     */
    public function listCardRefunds(string $id, array $query = []): array
    {
        return $this->call('GET', '/api/card/' . Wire::part($id) . '/refunds' . Wire::query($query));
    }

    /**
     * Create a QR payment; the buyer pays by scanning the code.
     * @param NewQrPayment $body
     * @return CreatedQrPayment
     */
    public function createQrPayment(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/qr', body: $body, idempotencyKey: $idempotencyKey, amountIsNumber: true);
    }

    /**
     * Get a QR payment and its current status.
     * @return QrPayment
     */
    public function readQrPayment(string $id): array
    {
        return $this->call('GET', '/api/qr/' . Wire::part($id));
    }

    /**
     * Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED.
     * @return QrPayment
     */
    public function cancelQrPayment(string $id, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/qr/' . Wire::part($id) . '/cancel', idempotencyKey: $idempotencyKey);
    }

    /**
     * Refund part of a payment, or all that remains.
     * @param NewRefund $body
     * @return Refund
     */
    public function refundQrPayment(string $id, array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/qr/' . Wire::part($id) . '/refunds', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the refunds of a payment, newest first.
     * @param PageOptions $query
     * @return array{items: list<Refund>, nextPageToken: string|null}
     */
    public function listQrRefunds(string $id, array $query = []): array
    {
        return $this->call('GET', '/api/qr/' . Wire::part($id) . '/refunds' . Wire::query($query));
    }

    /**
     * List the QR payments of a payment point, newest first.
     * @param QrHistoryOptions $query
     * @return array{items: list<QrPayment>, nextPageToken: string|null}
     */
    public function listQrPayments(string $paymentPointID, array $query = []): array
    {
        return $this->call('GET', '/api/payments/' . Wire::part($paymentPointID) . Wire::query($query));
    }

    /**
     * Get a refund and its current status.
     * @return Refund
     */
    public function readRefund(string $refundId): array
    {
        return $this->call('GET', '/api/refunds/' . Wire::part($refundId));
    }

    /**
     * List the partner's payment points.
     * @return list<PaymentPoint>
     */
    public function listPaymentPoints(): array
    {
        return $this->call('GET', '/api/integration/payment-points')['items'];
    }

    /**
     * Save callbackUrl and returnUrl.
     * @param NewEndpoints $body
     * @return Endpoints
     */
    public function saveEndpoints(array $body): array
    {
        return $this->call('PUT', '/api/integration/endpoints', body: $body);
    }

    /**
     * Get the saved addresses.
     * @return Endpoints
     */
    public function readEndpoints(): array
    {
        return $this->call('GET', '/api/integration/endpoints');
    }

    /**
     * Issue the callback secret, once.
     * @param IssueCallbackSecret $body
     * @return CallbackSecret
     */
    public function issueCallbackSecret(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/integration/callback-secret', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Send the latest payment.completed again, to check the receiver.
     * @return TestCallback
     */
    public function sendTestCallback(): array
    {
        return $this->call('POST', '/api/integration/test-callback');
    }

    /**
     * List the closed days of the ruble balance, newest first.
     * @param RegisterListOptions $query
     * @return array{items: list<Register>, nextPageToken: string|null}
     */
    public function listRegisters(array $query = []): array
    {
        return $this->call('GET', '/api/registers/RUB' . Wire::query($query));
    }

    /**
     * Get a closed day, entry by entry.
     * @return RegisterPart
     */
    public function readRegister(string $date, int $part = 1): array
    {
        return $this->call('GET', '/api/registers/RUB/' . Wire::part($date) . Wire::query(['part' => $part]));
    }

    /**
     * The same as the text of a CSV file.
     */
    public function readRegisterCsv(string $date, int $part = 1): string
    {
        return $this->text('/api/registers/RUB/' . Wire::part($date) . Wire::query(['format' => 'csv', 'part' => $part]));
    }

    /**
     * List the closed days in USDT, newest first.
     * @param RegisterListOptions $query
     * @return array{items: list<UsdtRegister>, nextPageToken: string|null}
     */
    public function listUsdtRegisters(array $query = []): array
    {
        return $this->call('GET', '/api/registers/USDT' . Wire::query($query));
    }

    /**
     * Get a closed day in USDT, entry by entry.
     * @return UsdtRegisterPart
     */
    public function readUsdtRegister(string $date, int $part = 1): array
    {
        return $this->call('GET', '/api/registers/USDT/' . Wire::part($date) . Wire::query(['part' => $part]));
    }

    /**
     * The same as the text of a CSV file.
     */
    public function readUsdtRegisterCsv(string $date, int $part = 1): string
    {
        return $this->text('/api/registers/USDT/' . Wire::part($date) . Wire::query(['format' => 'csv', 'part' => $part]));
    }

    /**
     * List the partner's events of the last 30 days, newest first.
     * @param EventFilter $query
     * @return array{items: list<CallbackEvent>, nextPageToken: string|null}
     */
    public function listEvents(array $query = []): array
    {
        return $this->call('GET', '/api/events' . Wire::query($query));
    }

    /**
     * Get an event with its body and its delivery attempts.
     * @return CallbackEventStory
     */
    public function readEvent(string $eventId): array
    {
        return $this->call('GET', '/api/events/' . Wire::part($eventId));
    }

    /**
     * Send an event again, whatever its status; at most 60 per minute.
     * @return CallbackEvent
     */
    public function replayEvent(string $eventId, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/events/' . Wire::part($eventId) . '/replay', idempotencyKey: $idempotencyKey);
    }

    /**
     * Charge a saved card, at most once per period.
     * @param NewRecurringPayment $body
     * @return RecurringPayment
     */
    public function createRecurringPayment(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/recurring-payments', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List a buyer's saved cards, newest first.
     * @param BindingFilter $query
     * @return array{items: list<Binding>, nextPageToken: string|null}
     */
    public function listBindings(array $query): array
    {
        return $this->call('GET', '/v1/bindings' . Wire::query($query));
    }

    /**
     * Get a binding with its status and period.
     * @return Binding
     */
    public function readBinding(string $bindingId): array
    {
        return $this->call('GET', '/v1/bindings/' . Wire::part($bindingId));
    }

    /**
     * Revoke a binding: no further charges, immediately and permanently.
     * @return Binding
     */
    public function revokeBinding(string $bindingId, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/bindings/' . Wire::part($bindingId) . '/revoke', idempotencyKey: $idempotencyKey);
    }

    /**
     * Get a store's USDT balance: available and reserved.
     * @return WithdrawalBalance
     */
    public function readWithdrawalBalance(string $storeID): array
    {
        return $this->call('GET', '/api/withdrawal-balances/' . Wire::part($storeID));
    }

    /**
     * Request a payout in USDT; the amount is reserved.
     * @param NewWithdrawalRequest $body
     * @return WithdrawalRequest
     */
    public function createWithdrawalRequest(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/withdrawal-requests', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the partner's payout requests, newest first.
     * @param WithdrawalFilter $query
     * @return array{items: list<WithdrawalRequest>, nextPageToken: string|null}
     */
    public function listWithdrawalRequests(array $query = []): array
    {
        return $this->call('GET', '/api/withdrawal-requests' . Wire::query($query));
    }

    /**
     * Get a payout request and its current status.
     * @return WithdrawalRequest
     */
    public function readWithdrawalRequest(string $requestID): array
    {
        return $this->call('GET', '/api/withdrawal-requests/' . Wire::part($requestID));
    }

    /**
     * Cancel a payout request before an operator takes it; the amount becomes available again.
     * @return WithdrawalRequest
     */
    public function cancelWithdrawalRequest(string $requestID, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/api/withdrawal-requests/' . Wire::part($requestID) . '/cancel', idempotencyKey: $idempotencyKey);
    }
}
