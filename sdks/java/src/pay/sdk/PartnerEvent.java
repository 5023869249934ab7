// Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.
package pay.sdk;

import java.math.BigDecimal;
import java.util.Map;

/** An event that the service sends as a callback. One that this version does not know is an {@link UnknownEvent}. */
public sealed interface PartnerEvent {
    /** {@return the version of this format} */
    Integer schemaVersion();

    /** {@return the same in every delivery} */
    String eventId();

    /** {@return what happened, such as `payment.completed`} */
    String type();

    /** {@return a number that increases by one with every event of the same payment, binding or payout request} */
    Integer aggregateVersion();

    /** {@return when the event was made} */
    String createdAt();

    /**
     * The binding exists after a successful first payment: store bindingId with your customerId.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record BindingCreatedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param bindingId The id of the binding
         * @param customerId Identifier of the buyer in the partner's system
         * @param consentId The id of the consent
         * @param period The card is charged at most this often: one of {@link Records.ChargePeriod}
         * @param nextChargeAt The earliest time at which a new charge is accepted
         * @param bankOperationId A binding is no operation of the bank
         * @param occurredAt When it happened
         * @param status The status of the binding
         */
        public record Data(
            String bindingId,
            String customerId,
            String consentId,
            String period,
            String nextChargeAt,
            String bankOperationId,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. A charge was requested after the card's expiry month: a new first payment is needed.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record BindingExpiredEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param bindingId The id of the binding
         * @param customerId Identifier of the buyer in the partner's system
         * @param consentId The id of the consent
         * @param period The card is charged at most this often: one of {@link Records.ChargePeriod}
         * @param nextChargeAt The earliest time at which a new charge is accepted
         * @param bankOperationId A binding is no operation of the bank
         * @param occurredAt When it happened
         * @param status The status of the binding
         */
        public record Data(
            String bindingId,
            String customerId,
            String consentId,
            String period,
            String nextChargeAt,
            String bankOperationId,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * The binding is revoked: new charges are forbidden.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record BindingRevokedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param bindingId The id of the binding
         * @param customerId Identifier of the buyer in the partner's system
         * @param consentId The id of the consent
         * @param period The card is charged at most this often: one of {@link Records.ChargePeriod}
         * @param nextChargeAt The earliest time at which a new charge is accepted
         * @param bankOperationId A binding is no operation of the bank
         * @param occurredAt When it happened
         * @param status The status of the binding
         */
        public record Data(
            String bindingId,
            String customerId,
            String consentId,
            String period,
            String nextChargeAt,
            String bankOperationId,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * The payment is confirmed and recorded in the financial ledger: ship the order once.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record PaymentCompletedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param orderId The id of the payment
         * @param merchantOrderId The partner's order number; empty for QR
         * @param amount Rubles: an exact decimal string with two decimal places
         * @param currency Always RUB
         * @param paymentMethod CARD for charges of saved cards, too: CARD, QR
         * @param bankOperationId The id of the operation at the bank; null if there is none
         * @param occurredAt When it happened
         * @param paymentId The confirmed financial transaction
         * @param status The status of the payment
         */
        public record Data(
            String orderId,
            String merchantOrderId,
            BigDecimal amount,
            String currency,
            String paymentMethod,
            String bankOperationId,
            String occurredAt,
            String paymentId,
            String status
        ) {}
    }

    /**
     * The payment ended and no money was taken. Sent once.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record PaymentFailedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param orderId The id of the payment
         * @param merchantOrderId The partner's order number; empty for QR
         * @param amount Rubles: an exact decimal string with two decimal places
         * @param currency Always RUB
         * @param paymentMethod CARD for charges of saved cards, too: CARD, QR
         * @param bankOperationId The id of the operation at the bank; null if there is none
         * @param occurredAt When it happened
         * @param paymentId There is no financial transaction
         * @param status The final status of the payment: one of {@link Records.FailedStatus}
         * @param failureCode Why no money was taken: one of {@link Records.FailureCode}
         * @param statusReason Human-readable; may be absent
         * @param retryAdvice For a charge of a saved card: whether it may be retried: one of {@link Records.RetryAdvice}
         */
        public record Data(
            String orderId,
            String merchantOrderId,
            BigDecimal amount,
            String currency,
            String paymentMethod,
            String bankOperationId,
            String occurredAt,
            String paymentId,
            String status,
            String failureCode,
            String statusReason,
            String retryAdvice
        ) {}
    }

    /**
     * Confirmed refunds have reached the full amount, with the refund named here.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record PaymentRefundedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param orderId The id of the payment
         * @param merchantOrderId The partner's order number; empty for QR
         * @param amount The amount of the payment
         * @param currency Always RUB
         * @param paymentMethod CARD for charges of saved cards, too: CARD, QR
         * @param bankOperationId The id of the refund at the bank; null until the bank has reported it
         * @param occurredAt When it happened
         * @param paymentId The confirmed financial transaction of the payment
         * @param refundId The id of the refund
         * @param merchantRefundId The partner's unique refund number
         * @param refundedAmount The total of confirmed refunds of the payment
         * @param status The status of the payment
         */
        public record Data(
            String orderId,
            String merchantOrderId,
            BigDecimal amount,
            String currency,
            String paymentMethod,
            String bankOperationId,
            String occurredAt,
            String paymentId,
            String refundId,
            String merchantRefundId,
            BigDecimal refundedAmount,
            String status
        ) {}
    }

    /**
     * The refund is confirmed for this amount.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record RefundCompletedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param orderId The id of the payment
         * @param merchantOrderId The partner's order number; empty for QR
         * @param amount The amount of this refund
         * @param currency Always RUB
         * @param paymentMethod CARD for charges of saved cards, too: CARD, QR
         * @param bankOperationId The id of the refund at the bank; null until the bank has reported it
         * @param occurredAt When it happened
         * @param paymentId The confirmed financial transaction of the payment
         * @param refundId The id of the refund
         * @param merchantRefundId The partner's unique refund number
         * @param refundedAmount The total of confirmed refunds of the payment
         * @param status The status of the refund
         */
        public record Data(
            String orderId,
            String merchantOrderId,
            BigDecimal amount,
            String currency,
            String paymentMethod,
            String bankOperationId,
            String occurredAt,
            String paymentId,
            String refundId,
            String merchantRefundId,
            BigDecimal refundedAmount,
            String status
        ) {}
    }

    /**
     * No money was returned; the amount can be refunded again.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record RefundFailedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param orderId The id of the payment
         * @param merchantOrderId The partner's order number; empty for QR
         * @param amount The amount of this refund
         * @param currency Always RUB
         * @param paymentMethod CARD for charges of saved cards, too: CARD, QR
         * @param bankOperationId The id of the refund at the bank; null until the bank has reported it
         * @param occurredAt When it happened
         * @param paymentId The confirmed financial transaction of the payment
         * @param refundId The id of the refund
         * @param merchantRefundId The partner's unique refund number
         * @param refundedAmount The total of confirmed refunds of the payment
         * @param status The status of the refund
         * @param failureCode Why no money was returned: one of {@link Records.RefundFailureCode}
         * @param statusReason Human-readable; may be absent
         */
        public record Data(
            String orderId,
            String merchantOrderId,
            BigDecimal amount,
            String currency,
            String paymentMethod,
            String bankOperationId,
            String occurredAt,
            String paymentId,
            String refundId,
            String merchantRefundId,
            BigDecimal refundedAmount,
            String status,
            String failureCode,
            String statusReason
        ) {}
    }

    /**
     * The refund request is saved; its result is pending.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record RefundPendingEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param orderId The id of the payment
         * @param merchantOrderId The partner's order number; empty for QR
         * @param amount The amount of this refund
         * @param currency Always RUB
         * @param paymentMethod CARD for charges of saved cards, too: CARD, QR
         * @param bankOperationId The id of the refund at the bank; null until the bank has reported it
         * @param occurredAt When it happened
         * @param paymentId The confirmed financial transaction of the payment
         * @param refundId The id of the refund
         * @param merchantRefundId The partner's unique refund number
         * @param refundedAmount The total of confirmed refunds of the payment
         * @param status The status of the refund
         */
        public record Data(
            String orderId,
            String merchantOrderId,
            BigDecimal amount,
            String currency,
            String paymentMethod,
            String bankOperationId,
            String occurredAt,
            String paymentId,
            String refundId,
            String merchantRefundId,
            BigDecimal refundedAmount,
            String status
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. A day is closed, and its register is available.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record RegisterReadyEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param registerId The id of the register
         * @param currency Always RUB
         * @param date The day, in UTC
         * @param openingBalance What we owed you at the close of the previous day
         * @param closingBalance What we owe you at the close of this day
         * @param lines The number of entries of the day
         * @param statusUrl The path of the register
         * @param occurredAt When the day was closed
         */
        public record Data(
            String registerId,
            String currency,
            String date,
            BigDecimal openingBalance,
            BigDecimal closingBalance,
            Integer lines,
            String statusUrl,
            String occurredAt
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. The current status of a payout request.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record WithdrawalApprovedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param withdrawalRequestId The id of the payout request
         * @param storeId The store that pays
         * @param amountUsdt USDT: an exact decimal string with six decimal places
         * @param beneficiaryRef The recipient
         * @param statusReason Why it was rejected, cancelled or failed
         * @param transferReference The reference of the manual transfer
         * @param occurredAt When it happened
         * @param status The status of the payout request
         */
        public record Data(
            String withdrawalRequestId,
            String storeId,
            BigDecimal amountUsdt,
            String beneficiaryRef,
            String statusReason,
            String transferReference,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. The current status of a payout request.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record WithdrawalCancelledEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param withdrawalRequestId The id of the payout request
         * @param storeId The store that pays
         * @param amountUsdt USDT: an exact decimal string with six decimal places
         * @param beneficiaryRef The recipient
         * @param statusReason Why it was rejected, cancelled or failed
         * @param transferReference The reference of the manual transfer
         * @param occurredAt When it happened
         * @param status The status of the payout request
         */
        public record Data(
            String withdrawalRequestId,
            String storeId,
            BigDecimal amountUsdt,
            String beneficiaryRef,
            String statusReason,
            String transferReference,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. The current status of a payout request.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record WithdrawalCompletedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param withdrawalRequestId The id of the payout request
         * @param storeId The store that pays
         * @param amountUsdt USDT: an exact decimal string with six decimal places
         * @param beneficiaryRef The recipient
         * @param statusReason Why it was rejected, cancelled or failed
         * @param transferReference The reference of the manual transfer
         * @param occurredAt When it happened
         * @param status The status of the payout request
         */
        public record Data(
            String withdrawalRequestId,
            String storeId,
            BigDecimal amountUsdt,
            String beneficiaryRef,
            String statusReason,
            String transferReference,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. The current status of a payout request.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record WithdrawalFailedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param withdrawalRequestId The id of the payout request
         * @param storeId The store that pays
         * @param amountUsdt USDT: an exact decimal string with six decimal places
         * @param beneficiaryRef The recipient
         * @param statusReason Why it was rejected, cancelled or failed
         * @param transferReference The reference of the manual transfer
         * @param occurredAt When it happened
         * @param status The status of the payout request
         */
        public record Data(
            String withdrawalRequestId,
            String storeId,
            BigDecimal amountUsdt,
            String beneficiaryRef,
            String statusReason,
            String transferReference,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. The current status of a payout request.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record WithdrawalInReviewEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param withdrawalRequestId The id of the payout request
         * @param storeId The store that pays
         * @param amountUsdt USDT: an exact decimal string with six decimal places
         * @param beneficiaryRef The recipient
         * @param statusReason Why it was rejected, cancelled or failed
         * @param transferReference The reference of the manual transfer
         * @param occurredAt When it happened
         * @param status The status of the payout request
         */
        public record Data(
            String withdrawalRequestId,
            String storeId,
            BigDecimal amountUsdt,
            String beneficiaryRef,
            String statusReason,
            String transferReference,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. A day in USDT is closed, and its register is available.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record WithdrawalRegisterReadyEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param registerId The id of the register
         * @param currency Always USDT
         * @param date The day, in UTC
         * @param openingAvailable USDT: an exact decimal string with six decimal places and a leading minus if negative
         * @param openingReserved USDT: an exact decimal string with six decimal places and a leading minus if negative
         * @param closingAvailable USDT: an exact decimal string with six decimal places and a leading minus if negative
         * @param closingReserved USDT: an exact decimal string with six decimal places and a leading minus if negative
         * @param lines The number of entries of the day
         * @param statusUrl The path of the register
         * @param occurredAt When the day was closed
         */
        public record Data(
            String registerId,
            String currency,
            String date,
            BigDecimal openingAvailable,
            BigDecimal openingReserved,
            BigDecimal closingAvailable,
            BigDecimal closingReserved,
            Integer lines,
            String statusUrl,
            String occurredAt
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. The current status of a payout request.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record WithdrawalRejectedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param withdrawalRequestId The id of the payout request
         * @param storeId The store that pays
         * @param amountUsdt USDT: an exact decimal string with six decimal places
         * @param beneficiaryRef The recipient
         * @param statusReason Why it was rejected, cancelled or failed
         * @param transferReference The reference of the manual transfer
         * @param occurredAt When it happened
         * @param status The status of the payout request
         */
        public record Data(
            String withdrawalRequestId,
            String storeId,
            BigDecimal amountUsdt,
            String beneficiaryRef,
            String statusReason,
            String transferReference,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * Sent if enabled in extraEvents. The current status of a payout request.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type Also in X-Service-Event-Type
     * @param aggregateVersion Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too
     * @param createdAt When the event was made
     * @param data What it is about
     */
    public record WithdrawalRequestedEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Data data
    ) implements PartnerEvent {
        /**
         * What it is about.
         *
         * @param withdrawalRequestId The id of the payout request
         * @param storeId The store that pays
         * @param amountUsdt USDT: an exact decimal string with six decimal places
         * @param beneficiaryRef The recipient
         * @param statusReason Why it was rejected, cancelled or failed
         * @param transferReference The reference of the manual transfer
         * @param occurredAt When it happened
         * @param status The status of the payout request
         */
        public record Data(
            String withdrawalRequestId,
            String storeId,
            BigDecimal amountUsdt,
            String beneficiaryRef,
            String statusReason,
            String transferReference,
            String occurredAt,
            String status
        ) {}
    }

    /**
     * An event of a type that this version does not know.
     *
     * @param schemaVersion The version of this format
     * @param eventId The same in every delivery
     * @param type What happened
     * @param aggregateVersion Increases by one with every event of the same aggregate
     * @param createdAt When the event was made
     * @param data What it is about, with numbers as {@link BigDecimal}
     */
    public record UnknownEvent(
        Integer schemaVersion,
        String eventId,
        String type,
        Integer aggregateVersion,
        String createdAt,
        Map<String, Object> data
    ) implements PartnerEvent {}

    /**
     * The record of an event.
     *
     * @param type its type
     * @return the class; {@link UnknownEvent} for a type that this version does not know
     */
    static Class<? extends PartnerEvent> recordOf(String type) {
        return switch (type) {
            case "payment.completed" -> PaymentCompletedEvent.class;
            case "payment.failed" -> PaymentFailedEvent.class;
            case "refund.pending" -> RefundPendingEvent.class;
            case "refund.completed" -> RefundCompletedEvent.class;
            case "refund.failed" -> RefundFailedEvent.class;
            case "payment.refunded" -> PaymentRefundedEvent.class;
            case "binding.created" -> BindingCreatedEvent.class;
            case "binding.revoked" -> BindingRevokedEvent.class;
            case "binding.expired" -> BindingExpiredEvent.class;
            case "withdrawal.requested" -> WithdrawalRequestedEvent.class;
            case "withdrawal.in_review" -> WithdrawalInReviewEvent.class;
            case "withdrawal.approved" -> WithdrawalApprovedEvent.class;
            case "withdrawal.completed" -> WithdrawalCompletedEvent.class;
            case "withdrawal.rejected" -> WithdrawalRejectedEvent.class;
            case "withdrawal.cancelled" -> WithdrawalCancelledEvent.class;
            case "withdrawal.failed" -> WithdrawalFailedEvent.class;
            case "register.ready" -> RegisterReadyEvent.class;
            case "withdrawal-register.ready" -> WithdrawalRegisterReadyEvent.class;
            default -> UnknownEvent.class;
        };
    }
}
