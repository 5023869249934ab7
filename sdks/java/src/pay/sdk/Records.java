// Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.
package pay.sdk;

import java.math.BigDecimal;
import java.util.List;

/**
 * The records of the API. Every amount is a {@link BigDecimal}; timestamps are ISO 8601 UTC text. A member that a response does not have is null.
 * Words such as statuses are text, because a newer service may send others; classes such as {@link PaymentStatus} have those of this version.
 */
public final class Records {
    private Records() {}

    /** The status of a payment. */
    public static final class PaymentStatus {
        private PaymentStatus() {}

        /** {@value}. */
        public static final String CREATED = "CREATED";

        /** {@value}. */
        public static final String SUBMITTED = "SUBMITTED";

        /** {@value}. */
        public static final String PENDING = "PENDING";

        /** {@value}. */
        public static final String COMPLETED = "COMPLETED";

        /** {@value}. */
        public static final String REJECTED = "REJECTED";

        /** {@value}. */
        public static final String EXPIRED = "EXPIRED";

        /** {@value}. */
        public static final String FAILED = "FAILED";

        /** {@value}. */
        public static final String CANCELLED = "CANCELLED";

        /** {@value}. */
        public static final String REFUNDED = "REFUNDED";
    }

    /** The final statuses of a payment in which no money was taken. */
    public static final class FailedStatus {
        private FailedStatus() {}

        /** {@value}. */
        public static final String REJECTED = "REJECTED";

        /** {@value}. */
        public static final String EXPIRED = "EXPIRED";

        /** {@value}. */
        public static final String FAILED = "FAILED";

        /** {@value}. */
        public static final String CANCELLED = "CANCELLED";
    }

    /** How a payment is made. */
    public static final class PaymentMethod {
        private PaymentMethod() {}

        /** {@value}. */
        public static final String CARD = "CARD";

        /** {@value}. */
        public static final String CARD_BINDING = "CARD_BINDING";

        /** {@value}. */
        public static final String SBP_DYNAMIC_QR = "SBP_DYNAMIC_QR";
    }

    /** Why a payment ended with no money taken. A newer service may send others. */
    public static final class FailureCode {
        private FailureCode() {}

        /** {@value}. */
        public static final String INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS";

        /** {@value}. */
        public static final String CARD_EXPIRED = "CARD_EXPIRED";

        /** {@value}. */
        public static final String CARD_BLOCKED = "CARD_BLOCKED";

        /** {@value}. */
        public static final String INVALID_CARD_DETAILS = "INVALID_CARD_DETAILS";

        /** {@value}. */
        public static final String CARD_NOT_SUPPORTED = "CARD_NOT_SUPPORTED";

        /** {@value}. */
        public static final String LIMIT_EXCEEDED = "LIMIT_EXCEEDED";

        /** {@value}. */
        public static final String AUTHENTICATION_FAILED = "AUTHENTICATION_FAILED";

        /** {@value}. */
        public static final String DECLINED_BY_ISSUER = "DECLINED_BY_ISSUER";

        /** {@value}. */
        public static final String FRAUD_SUSPECTED = "FRAUD_SUSPECTED";

        /** {@value}. */
        public static final String CONSENT_REVOKED = "CONSENT_REVOKED";

        /** {@value}. */
        public static final String ISSUER_UNAVAILABLE = "ISSUER_UNAVAILABLE";

        /** {@value}. */
        public static final String PROCESSING_ERROR = "PROCESSING_ERROR";

        /** {@value}. */
        public static final String CANCELLED_BY_CUSTOMER = "CANCELLED_BY_CUSTOMER";

        /** {@value}. */
        public static final String CANCELLED_BY_PARTNER = "CANCELLED_BY_PARTNER";

        /** {@value}. */
        public static final String SESSION_EXPIRED = "SESSION_EXPIRED";
    }

    /** Whether a declined charge may be retried: never with this card, later (schemes limit how often), or at any time. */
    public static final class RetryAdvice {
        private RetryAdvice() {}

        /** {@value}. */
        public static final String DO_NOT_RETRY = "DO_NOT_RETRY";

        /** {@value}. */
        public static final String RETRY_LATER = "RETRY_LATER";

        /** {@value}. */
        public static final String RETRY_ANY_TIME = "RETRY_ANY_TIME";
    }

    /** The status of a refund. */
    public static final class RefundStatus {
        private RefundStatus() {}

        /** {@value}. */
        public static final String PENDING = "PENDING";

        /** {@value}. */
        public static final String COMPLETED = "COMPLETED";

        /** {@value}. */
        public static final String FAILED = "FAILED";
    }

    /** Why a refund failed: the codes of payments, and one more. */
    public static final class RefundFailureCode {
        private RefundFailureCode() {}

        /** {@value}. */
        public static final String INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS";

        /** {@value}. */
        public static final String CARD_EXPIRED = "CARD_EXPIRED";

        /** {@value}. */
        public static final String CARD_BLOCKED = "CARD_BLOCKED";

        /** {@value}. */
        public static final String INVALID_CARD_DETAILS = "INVALID_CARD_DETAILS";

        /** {@value}. */
        public static final String CARD_NOT_SUPPORTED = "CARD_NOT_SUPPORTED";

        /** {@value}. */
        public static final String LIMIT_EXCEEDED = "LIMIT_EXCEEDED";

        /** {@value}. */
        public static final String AUTHENTICATION_FAILED = "AUTHENTICATION_FAILED";

        /** {@value}. */
        public static final String DECLINED_BY_ISSUER = "DECLINED_BY_ISSUER";

        /** {@value}. */
        public static final String FRAUD_SUSPECTED = "FRAUD_SUSPECTED";

        /** {@value}. */
        public static final String CONSENT_REVOKED = "CONSENT_REVOKED";

        /** {@value}. */
        public static final String ISSUER_UNAVAILABLE = "ISSUER_UNAVAILABLE";

        /** {@value}. */
        public static final String PROCESSING_ERROR = "PROCESSING_ERROR";

        /** {@value}. */
        public static final String CANCELLED_BY_CUSTOMER = "CANCELLED_BY_CUSTOMER";

        /** {@value}. */
        public static final String CANCELLED_BY_PARTNER = "CANCELLED_BY_PARTNER";

        /** {@value}. */
        public static final String SESSION_EXPIRED = "SESSION_EXPIRED";

        /** {@value}. */
        public static final String REFUND_PERIOD_EXPIRED = "REFUND_PERIOD_EXPIRED";
    }

    /** The status of a payment point. */
    public static final class PointStatus {
        private PointStatus() {}

        /** {@value}. */
        public static final String ACTIVE = "ACTIVE";

        /** {@value}. */
        public static final String SUSPENDED = "SUSPENDED";

        /** {@value}. */
        public static final String CLOSED = "CLOSED";
    }

    /** What a payment point accepts; charges of saved cards use CARD. */
    public static final class PointMethod {
        private PointMethod() {}

        /** {@value}. */
        public static final String CARD = "CARD";

        /** {@value}. */
        public static final String SBP_DYNAMIC_QR = "SBP_DYNAMIC_QR";
    }

    /** The status of a saved card. */
    public static final class BindingStatus {
        private BindingStatus() {}

        /** {@value}. */
        public static final String ACTIVE = "ACTIVE";

        /** {@value}. */
        public static final String REVOKED = "REVOKED";

        /** {@value}. */
        public static final String EXPIRED = "EXPIRED";
    }

    /** The maximum frequency at which a saved card may be charged. */
    public static final class ChargePeriod {
        private ChargePeriod() {}

        /** {@value}. */
        public static final String PT1M = "PT1M";

        /** {@value}. */
        public static final String PT1H = "PT1H";

        /** {@value}. */
        public static final String P1D = "P1D";

        /** {@value}. */
        public static final String P1W = "P1W";

        /** {@value}. */
        public static final String P1M = "P1M";

        /** {@value}. */
        public static final String P1Y = "P1Y";
    }

    /** The status of a payout request. */
    public static final class WithdrawalStatus {
        private WithdrawalStatus() {}

        /** {@value}. */
        public static final String REQUESTED = "REQUESTED";

        /** {@value}. */
        public static final String IN_REVIEW = "IN_REVIEW";

        /** {@value}. */
        public static final String APPROVED = "APPROVED";

        /** {@value}. */
        public static final String COMPLETED = "COMPLETED";

        /** {@value}. */
        public static final String REJECTED = "REJECTED";

        /** {@value}. */
        public static final String CANCELLED = "CANCELLED";

        /** {@value}. */
        public static final String FAILED = "FAILED";
    }

    /** The delivery status of an event. NOT_CONFIGURED: stored and not sent until a replay is requested. */
    public static final class EventStatus {
        private EventStatus() {}

        /** {@value}. */
        public static final String WAITING = "WAITING";

        /** {@value}. */
        public static final String DELIVERED = "DELIVERED";

        /** {@value}. */
        public static final String REFUSED = "REFUSED";

        /** {@value}. */
        public static final String EXHAUSTED = "EXHAUSTED";

        /** {@value}. */
        public static final String NOT_CONFIGURED = "NOT_CONFIGURED";
    }

    /** The type of an event. A newer service may send others. */
    public static final class EventType {
        private EventType() {}

        /** {@value}. */
        public static final String PAYMENT_COMPLETED = "payment.completed";

        /** {@value}. */
        public static final String PAYMENT_FAILED = "payment.failed";

        /** {@value}. */
        public static final String REFUND_PENDING = "refund.pending";

        /** {@value}. */
        public static final String REFUND_COMPLETED = "refund.completed";

        /** {@value}. */
        public static final String REFUND_FAILED = "refund.failed";

        /** {@value}. */
        public static final String PAYMENT_REFUNDED = "payment.refunded";

        /** {@value}. */
        public static final String BINDING_CREATED = "binding.created";

        /** {@value}. */
        public static final String BINDING_REVOKED = "binding.revoked";

        /** {@value}. */
        public static final String BINDING_EXPIRED = "binding.expired";

        /** {@value}. */
        public static final String WITHDRAWAL_REQUESTED = "withdrawal.requested";

        /** {@value}. */
        public static final String WITHDRAWAL_IN_REVIEW = "withdrawal.in_review";

        /** {@value}. */
        public static final String WITHDRAWAL_APPROVED = "withdrawal.approved";

        /** {@value}. */
        public static final String WITHDRAWAL_COMPLETED = "withdrawal.completed";

        /** {@value}. */
        public static final String WITHDRAWAL_REJECTED = "withdrawal.rejected";

        /** {@value}. */
        public static final String WITHDRAWAL_CANCELLED = "withdrawal.cancelled";

        /** {@value}. */
        public static final String WITHDRAWAL_FAILED = "withdrawal.failed";

        /** {@value}. */
        public static final String REGISTER_READY = "register.ready";

        /** {@value}. */
        public static final String WITHDRAWAL_REGISTER_READY = "withdrawal-register.ready";
    }

    /** Events that are sent only if enabled. */
    public static final class ExtraEvent {
        private ExtraEvent() {}

        /** {@value}. */
        public static final String BINDING_EXPIRED = "binding.expired";

        /** {@value}. */
        public static final String WITHDRAWAL_REQUESTED = "withdrawal.requested";

        /** {@value}. */
        public static final String WITHDRAWAL_IN_REVIEW = "withdrawal.in_review";

        /** {@value}. */
        public static final String WITHDRAWAL_APPROVED = "withdrawal.approved";

        /** {@value}. */
        public static final String WITHDRAWAL_COMPLETED = "withdrawal.completed";

        /** {@value}. */
        public static final String WITHDRAWAL_REJECTED = "withdrawal.rejected";

        /** {@value}. */
        public static final String WITHDRAWAL_CANCELLED = "withdrawal.cancelled";

        /** {@value}. */
        public static final String WITHDRAWAL_FAILED = "withdrawal.failed";

        /** {@value}. */
        public static final String REGISTER_READY = "register.ready";

        /** {@value}. */
        public static final String WITHDRAWAL_REGISTER_READY = "withdrawal-register.ready";
    }

    /** The code of an error. A newer service may send others. */
    public static final class ErrorCode {
        private ErrorCode() {}

        /** {@value}. */
        public static final String UNAUTHORIZED = "UNAUTHORIZED";

        /** {@value}. */
        public static final String RATE_LIMITED = "RATE_LIMITED";

        /** {@value}. */
        public static final String PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE";

        /** {@value}. */
        public static final String METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED";

        /** {@value}. */
        public static final String UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE";

        /** {@value}. */
        public static final String VALIDATION_FAILED = "VALIDATION_FAILED";

        /** {@value}. */
        public static final String IDEMPOTENCY_KEY_REUSED = "IDEMPOTENCY_KEY_REUSED";

        /** {@value}. */
        public static final String IDEMPOTENCY_KEY_IN_PROGRESS = "IDEMPOTENCY_KEY_IN_PROGRESS";

        /** {@value}. */
        public static final String PAYMENT_POINT_REQUIRED = "PAYMENT_POINT_REQUIRED";

        /** {@value}. */
        public static final String NOT_FOUND = "NOT_FOUND";

        /** {@value}. */
        public static final String DUPLICATE_ORDER = "DUPLICATE_ORDER";

        /** {@value}. */
        public static final String ENDPOINTS_NOT_CONFIGURED = "ENDPOINTS_NOT_CONFIGURED";

        /** {@value}. */
        public static final String SECRET_ALREADY_ISSUED = "SECRET_ALREADY_ISSUED";

        /** {@value}. */
        public static final String BINDING_REVOKED = "BINDING_REVOKED";

        /** {@value}. */
        public static final String BINDING_EXPIRED = "BINDING_EXPIRED";

        /** {@value}. */
        public static final String PREVIOUS_CHARGE_NOT_FINISHED = "PREVIOUS_CHARGE_NOT_FINISHED";

        /** {@value}. */
        public static final String PERIOD_NOT_ELAPSED = "PERIOD_NOT_ELAPSED";

        /** {@value}. */
        public static final String RETRY_NOT_ALLOWED = "RETRY_NOT_ALLOWED";

        /** {@value}. */
        public static final String CANCEL_NOT_ALLOWED = "CANCEL_NOT_ALLOWED";

        /** {@value}. */
        public static final String REFUND_NOT_ALLOWED = "REFUND_NOT_ALLOWED";

        /** {@value}. */
        public static final String REFUND_AMOUNT_EXCEEDED = "REFUND_AMOUNT_EXCEEDED";

        /** {@value}. */
        public static final String INSUFFICIENT_BALANCE = "INSUFFICIENT_BALANCE";

        /** {@value}. */
        public static final String ROUTE_UNAVAILABLE = "ROUTE_UNAVAILABLE";

        /** {@value}. */
        public static final String SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE";

        /** {@value}. */
        public static final String OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN";

        /** {@value}. */
        public static final String INTERNAL_ERROR = "INTERNAL_ERROR";
    }

    /**
     * Which page of a list.
     *
     * @param limit The number of items on a page
     * @param pageToken nextPageToken of the page before
     */
    public record PageOptions(
        Integer limit,
        String pageToken
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link PageOptions}. */
        public static final class Builder {
            private Integer limit;
            private String pageToken;

            private Builder() {}

            /**
             * The number of items on a page.
             *
             * @param value the value
             * @return this builder
             */
            public Builder limit(Integer value) {
                this.limit = value;
                return this;
            }

            /**
             * nextPageToken of the page before.
             *
             * @param value the value
             * @return this builder
             */
            public Builder pageToken(String value) {
                this.pageToken = value;
                return this;
            }

            /** {@return the record} */
            public PageOptions build() {
                return new PageOptions(limit, pageToken);
            }
        }
    }

    /**
     * Which card payments and charges of saved cards.
     *
     * @param limit The number of items on a page
     * @param pageToken nextPageToken of the page before
     * @param orderID Only the payment with this orderID or merchantOrderId: none or one
     * @param customerID Only payments of this buyer
     * @param paymentPointID Only payments of this payment point
     * @param from Created at or after this time
     * @param to Created before this time
     * @param status Only payments with this status: one of {@link PaymentStatus}
     */
    public record CardListOptions(
        Integer limit,
        String pageToken,
        String orderID,
        String customerID,
        String paymentPointID,
        String from,
        String to,
        String status
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link CardListOptions}. */
        public static final class Builder {
            private Integer limit;
            private String pageToken;
            private String orderID;
            private String customerID;
            private String paymentPointID;
            private String from;
            private String to;
            private String status;

            private Builder() {}

            /**
             * The number of items on a page.
             *
             * @param value the value
             * @return this builder
             */
            public Builder limit(Integer value) {
                this.limit = value;
                return this;
            }

            /**
             * nextPageToken of the page before.
             *
             * @param value the value
             * @return this builder
             */
            public Builder pageToken(String value) {
                this.pageToken = value;
                return this;
            }

            /**
             * Only the payment with this orderID or merchantOrderId: none or one.
             *
             * @param value the value
             * @return this builder
             */
            public Builder orderID(String value) {
                this.orderID = value;
                return this;
            }

            /**
             * Only payments of this buyer.
             *
             * @param value the value
             * @return this builder
             */
            public Builder customerID(String value) {
                this.customerID = value;
                return this;
            }

            /**
             * Only payments of this payment point.
             *
             * @param value the value
             * @return this builder
             */
            public Builder paymentPointID(String value) {
                this.paymentPointID = value;
                return this;
            }

            /**
             * Created at or after this time.
             *
             * @param value the value
             * @return this builder
             */
            public Builder from(String value) {
                this.from = value;
                return this;
            }

            /**
             * Created before this time.
             *
             * @param value the value
             * @return this builder
             */
            public Builder to(String value) {
                this.to = value;
                return this;
            }

            /**
             * Only payments with this status: one of {@link PaymentStatus}.
             *
             * @param value the value
             * @return this builder
             */
            public Builder status(String value) {
                this.status = value;
                return this;
            }

            /** {@return the record} */
            public CardListOptions build() {
                return new CardListOptions(limit, pageToken, orderID, customerID, paymentPointID, from, to, status);
            }
        }
    }

    /**
     * Which QR payments of a point.
     *
     * @param limit The number of items on a page
     * @param pageToken nextPageToken of the page before
     * @param from Created at or after this time
     * @param to Created before this time
     * @param status Only payments with this status: one of {@link PaymentStatus}
     */
    public record QrHistoryOptions(
        Integer limit,
        String pageToken,
        String from,
        String to,
        String status
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link QrHistoryOptions}. */
        public static final class Builder {
            private Integer limit;
            private String pageToken;
            private String from;
            private String to;
            private String status;

            private Builder() {}

            /**
             * The number of items on a page.
             *
             * @param value the value
             * @return this builder
             */
            public Builder limit(Integer value) {
                this.limit = value;
                return this;
            }

            /**
             * nextPageToken of the page before.
             *
             * @param value the value
             * @return this builder
             */
            public Builder pageToken(String value) {
                this.pageToken = value;
                return this;
            }

            /**
             * Created at or after this time.
             *
             * @param value the value
             * @return this builder
             */
            public Builder from(String value) {
                this.from = value;
                return this;
            }

            /**
             * Created before this time.
             *
             * @param value the value
             * @return this builder
             */
            public Builder to(String value) {
                this.to = value;
                return this;
            }

            /**
             * Only payments with this status: one of {@link PaymentStatus}.
             *
             * @param value the value
             * @return this builder
             */
            public Builder status(String value) {
                this.status = value;
                return this;
            }

            /** {@return the record} */
            public QrHistoryOptions build() {
                return new QrHistoryOptions(limit, pageToken, from, to, status);
            }
        }
    }

    /**
     * Whose saved cards, and which.
     *
     * @param limit The number of items on a page
     * @param pageToken nextPageToken of the page before
     * @param customerId The buyer
     * @param status Only bindings with this status: one of {@link BindingStatus}
     */
    public record BindingFilter(
        Integer limit,
        String pageToken,
        String customerId,
        String status
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link BindingFilter}. */
        public static final class Builder {
            private Integer limit;
            private String pageToken;
            private String customerId;
            private String status;

            private Builder() {}

            /**
             * The number of items on a page.
             *
             * @param value the value
             * @return this builder
             */
            public Builder limit(Integer value) {
                this.limit = value;
                return this;
            }

            /**
             * nextPageToken of the page before.
             *
             * @param value the value
             * @return this builder
             */
            public Builder pageToken(String value) {
                this.pageToken = value;
                return this;
            }

            /**
             * The buyer.
             *
             * @param value the value
             * @return this builder
             */
            public Builder customerId(String value) {
                this.customerId = value;
                return this;
            }

            /**
             * Only bindings with this status: one of {@link BindingStatus}.
             *
             * @param value the value
             * @return this builder
             */
            public Builder status(String value) {
                this.status = value;
                return this;
            }

            /** {@return the record} */
            public BindingFilter build() {
                return new BindingFilter(limit, pageToken, customerId, status);
            }
        }
    }

    /**
     * Which events; an omitted field does not filter.
     *
     * @param limit The number of items on a page
     * @param pageToken nextPageToken of the page before
     * @param objectId Only events of this payment, binding or payout request
     * @param type Only events of this type: one of {@link EventType}
     * @param status WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled: one of {@link EventStatus}
     * @param from Recorded at or after this time
     * @param to Recorded before this time
     */
    public record EventFilter(
        Integer limit,
        String pageToken,
        String objectId,
        String type,
        String status,
        String from,
        String to
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link EventFilter}. */
        public static final class Builder {
            private Integer limit;
            private String pageToken;
            private String objectId;
            private String type;
            private String status;
            private String from;
            private String to;

            private Builder() {}

            /**
             * The number of items on a page.
             *
             * @param value the value
             * @return this builder
             */
            public Builder limit(Integer value) {
                this.limit = value;
                return this;
            }

            /**
             * nextPageToken of the page before.
             *
             * @param value the value
             * @return this builder
             */
            public Builder pageToken(String value) {
                this.pageToken = value;
                return this;
            }

            /**
             * Only events of this payment, binding or payout request.
             *
             * @param value the value
             * @return this builder
             */
            public Builder objectId(String value) {
                this.objectId = value;
                return this;
            }

            /**
             * Only events of this type: one of {@link EventType}.
             *
             * @param value the value
             * @return this builder
             */
            public Builder type(String value) {
                this.type = value;
                return this;
            }

            /**
             * WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled: one of {@link EventStatus}.
             *
             * @param value the value
             * @return this builder
             */
            public Builder status(String value) {
                this.status = value;
                return this;
            }

            /**
             * Recorded at or after this time.
             *
             * @param value the value
             * @return this builder
             */
            public Builder from(String value) {
                this.from = value;
                return this;
            }

            /**
             * Recorded before this time.
             *
             * @param value the value
             * @return this builder
             */
            public Builder to(String value) {
                this.to = value;
                return this;
            }

            /** {@return the record} */
            public EventFilter build() {
                return new EventFilter(limit, pageToken, objectId, type, status, from, to);
            }
        }
    }

    /**
     * Which registers.
     *
     * @param limit The number of items on a page
     * @param pageToken nextPageToken of the page before
     * @param from This day or later
     * @param to Before this day
     */
    public record RegisterListOptions(
        Integer limit,
        String pageToken,
        String from,
        String to
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link RegisterListOptions}. */
        public static final class Builder {
            private Integer limit;
            private String pageToken;
            private String from;
            private String to;

            private Builder() {}

            /**
             * The number of items on a page.
             *
             * @param value the value
             * @return this builder
             */
            public Builder limit(Integer value) {
                this.limit = value;
                return this;
            }

            /**
             * nextPageToken of the page before.
             *
             * @param value the value
             * @return this builder
             */
            public Builder pageToken(String value) {
                this.pageToken = value;
                return this;
            }

            /**
             * This day or later.
             *
             * @param value the value
             * @return this builder
             */
            public Builder from(String value) {
                this.from = value;
                return this;
            }

            /**
             * Before this day.
             *
             * @param value the value
             * @return this builder
             */
            public Builder to(String value) {
                this.to = value;
                return this;
            }

            /** {@return the record} */
            public RegisterListOptions build() {
                return new RegisterListOptions(limit, pageToken, from, to);
            }
        }
    }

    /**
     * Which payout requests.
     *
     * @param limit The number of items on a page
     * @param pageToken nextPageToken of the page before
     * @param storeId Only requests of this store
     * @param status Only requests with this status: one of {@link WithdrawalStatus}
     */
    public record WithdrawalFilter(
        Integer limit,
        String pageToken,
        String storeId,
        String status
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link WithdrawalFilter}. */
        public static final class Builder {
            private Integer limit;
            private String pageToken;
            private String storeId;
            private String status;

            private Builder() {}

            /**
             * The number of items on a page.
             *
             * @param value the value
             * @return this builder
             */
            public Builder limit(Integer value) {
                this.limit = value;
                return this;
            }

            /**
             * nextPageToken of the page before.
             *
             * @param value the value
             * @return this builder
             */
            public Builder pageToken(String value) {
                this.pageToken = value;
                return this;
            }

            /**
             * Only requests of this store.
             *
             * @param value the value
             * @return this builder
             */
            public Builder storeId(String value) {
                this.storeId = value;
                return this;
            }

            /**
             * Only requests with this status: one of {@link WithdrawalStatus}.
             *
             * @param value the value
             * @return this builder
             */
            public Builder status(String value) {
                this.status = value;
                return this;
            }

            /** {@return the record} */
            public WithdrawalFilter build() {
                return new WithdrawalFilter(limit, pageToken, storeId, status);
            }
        }
    }

    /**
     * A saved card that its buyer has agreed to have charged, at most once per period.
     *
     * @param bindingId The id of the binding
     * @param customerId Identifier of the buyer in the partner's system
     * @param status The status of the binding: one of {@link BindingStatus}
     * @param consentId The id of the consent
     * @param period The card is charged at most this often: one of {@link ChargePeriod}
     * @param lastChargedAt When the card was last charged; the first payment counts
     * @param nextChargeAt The earliest time at which a new charge is accepted
     * @param createdAt When the card was saved
     * @param cardMask Absent when the payment channel did not confirm it
     * @param cardExpiry Absent when the payment channel did not confirm it
     * @param revokedAt When it was revoked
     */
    public record Binding(
        String bindingId,
        String customerId,
        String status,
        String consentId,
        String period,
        String lastChargedAt,
        String nextChargeAt,
        String createdAt,
        String cardMask,
        String cardExpiry,
        String revokedAt
    ) {}

    /**
     * An event for the partner and the state of its delivery.
     *
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type The type of the event: one of {@link Records.EventType}
     * @param objectId The payment (orderId in the event), binding or payout request
     * @param aggregateVersion Increases by one with every event of the same object
     * @param status WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled: one of {@link Records.EventStatus}
     * @param attemptCount In the current round: a replay starts a new round
     * @param recordedAt When the event was stored; from and to of the list filter by it
     * @param nextAttemptAt Null once delivery has ended
     * @param endedAt When delivery ended; null while it goes on
     */
    public record CallbackEvent(
        String eventId,
        String type,
        String objectId,
        Integer aggregateVersion,
        String status,
        Integer attemptCount,
        String recordedAt,
        String nextAttemptAt,
        String endedAt
    ) {}

    /**
     * One delivery attempt to your address.
     *
     * @param number Within its round, starting at 1
     * @param url The callbackUrl at the time of the attempt
     * @param keyIds The keys that signed it
     * @param startedAt When it was sent
     * @param durationMs How long it took, in milliseconds
     * @param httpStatus Null if there was no response
     * @param failure Why there was no response
     * @param outcome FLAGGED: a response that does not confirm receipt, such as 204 or a redirect; retried like RETRY: DELIVERED, REFUSED, RETRY, FLAGGED
     * @param answerBase64 The first KiB of the response, base64; null for a 200, if there was no response, once 10 MiB of the day are stored, and in TEST from a private address
     * @param nextAttemptAt When the next attempt was planned for; null after the last one
     * @param isReplay Made because a replay was requested
     */
    public record CallbackAttempt(
        Integer number,
        String url,
        List<String> keyIds,
        String startedAt,
        Integer durationMs,
        Integer httpStatus,
        String failure,
        String outcome,
        String answerBase64,
        String nextAttemptAt,
        Boolean isReplay
    ) {}

    /**
     * An event with the body that is sent and its latest 100 attempts, oldest first.
     *
     * @param eventId The same in every delivery; also in X-Service-Event-ID
     * @param type The type of the event: one of {@link EventType}
     * @param objectId The payment (orderId in the event), binding or payout request
     * @param aggregateVersion Increases by one with every event of the same object
     * @param status WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled: one of {@link EventStatus}
     * @param attemptCount In the current round: a replay starts a new round
     * @param recordedAt When the event was stored; from and to of the list filter by it
     * @param nextAttemptAt Null once delivery has ended
     * @param endedAt When delivery ended; null while it goes on
     * @param body The exact bytes that are sent, as UTF-8
     * @param attempts The latest 100, oldest first
     */
    public record CallbackEventStory(
        String eventId,
        String type,
        String objectId,
        Integer aggregateVersion,
        String status,
        Integer attemptCount,
        String recordedAt,
        String nextAttemptAt,
        String endedAt,
        String body,
        List<CallbackAttempt> attempts
    ) {}

    /**
     * The callback secret. It is not shown again after replayUntil.
     *
     * @param secret Base64 of 32 bytes
     * @param keyId Appears in the signature header
     * @param algorithm How callbacks are signed with it
     * @param signatureHeader The header that has the signature
     * @param issuedAt When it was issued
     * @param replayUntil Until then, a repeat with the same Idempotency-Key gets the same response
     */
    public record CallbackSecret(
        String secret,
        String keyId,
        String algorithm,
        String signatureHeader,
        String issuedAt,
        String replayUntil
    ) {}

    /**
     * A card payment and its current status.
     *
     * @param id The id of the payment; called orderId in events
     * @param orderID The partner's unique order number
     * @param amount Rubles; on the wire the JSON number with exactly these digits
     * @param currency Always RUB
     * @param status The status of the payment: one of {@link PaymentStatus}
     * @param paymentUrl The hosted payment page; absent while it cannot be used
     * @param expiresAt When the payment session ends
     * @param statusUrl The path of its current status
     * @param paymentPointID The payment point
     * @param customerID Identifier of the buyer in the partner's system
     * @param description Payment purpose
     * @param paymentMethod CARD: typed in by the buyer; CARD_BINDING: a charge of a saved card: CARD, CARD_BINDING
     * @param bindingId For a payment that saves the card: present once it is COMPLETED. For a charge: the binding that was charged
     * @param failureCode Why no money was taken: one of {@link FailureCode}
     * @param statusReason Human-readable; may be absent
     * @param retryAdvice For a failed charge of a saved card: whether it may be retried: one of {@link RetryAdvice}
     * @param bankOperationId The id of the operation at the bank; null if there is none
     * @param refundedAmount The total of confirmed refunds
     * @param createdAt When it was created
     * @param updatedAt When it last changed
     */
    public record CardPayment(
        String id,
        String orderID,
        BigDecimal amount,
        String currency,
        String status,
        String paymentUrl,
        String expiresAt,
        String statusUrl,
        String paymentPointID,
        String customerID,
        String description,
        String paymentMethod,
        String bindingId,
        String failureCode,
        String statusReason,
        String retryAdvice,
        String bankOperationId,
        BigDecimal refundedAmount,
        String createdAt,
        String updatedAt
    ) {}

    /**
     * A new card payment. Card details are entered on the hosted payment page only.
     *
     * @param paymentPointID May be omitted if exactly one point is active
     * @param orderID The partner's unique order number
     * @param amount Rubles; on the wire the JSON number with exactly these digits
     * @param currency Always RUB
     * @param description Payment purpose
     * @param customerID Identifier of the buyer in the partner's system
     * @param returnUrl May differ from the saved returnUrl in path and query only
     * @param savePaymentMethod true: save the card if the buyer agrees on the payment page; the payment stays CREATED until the buyer decides
     * @param recurringConsent recurringConsent
     * @param receipt receipt
     */
    public record NewCardPayment(
        String paymentPointID,
        String orderID,
        BigDecimal amount,
        String currency,
        String description,
        String customerID,
        String returnUrl,
        Boolean savePaymentMethod,
        RecurringConsent recurringConsent,
        Receipt receipt
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link NewCardPayment}. */
        public static final class Builder {
            private String paymentPointID;
            private String orderID;
            private BigDecimal amount;
            private String currency = "RUB";
            private String description;
            private String customerID;
            private String returnUrl;
            private Boolean savePaymentMethod;
            private RecurringConsent recurringConsent;
            private Receipt receipt;

            private Builder() {}

            /**
             * May be omitted if exactly one point is active.
             *
             * @param value the value
             * @return this builder
             */
            public Builder paymentPointID(String value) {
                this.paymentPointID = value;
                return this;
            }

            /**
             * The partner's unique order number.
             *
             * @param value the value
             * @return this builder
             */
            public Builder orderID(String value) {
                this.orderID = value;
                return this;
            }

            /**
             * Rubles; on the wire the JSON number with exactly these digits.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(BigDecimal value) {
                this.amount = value;
                return this;
            }

            /**
             * Rubles; on the wire the JSON number with exactly these digits.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(String value) {
                return amount(Wire.decimal("amount", value));
            }

            /**
             * Always RUB.
             *
             * @param value the value
             * @return this builder
             */
            public Builder currency(String value) {
                this.currency = value;
                return this;
            }

            /**
             * Payment purpose.
             *
             * @param value the value
             * @return this builder
             */
            public Builder description(String value) {
                this.description = value;
                return this;
            }

            /**
             * Identifier of the buyer in the partner's system.
             *
             * @param value the value
             * @return this builder
             */
            public Builder customerID(String value) {
                this.customerID = value;
                return this;
            }

            /**
             * May differ from the saved returnUrl in path and query only.
             *
             * @param value the value
             * @return this builder
             */
            public Builder returnUrl(String value) {
                this.returnUrl = value;
                return this;
            }

            /**
             * true: save the card if the buyer agrees on the payment page; the payment stays CREATED until the buyer decides.
             *
             * @param value the value
             * @return this builder
             */
            public Builder savePaymentMethod(Boolean value) {
                this.savePaymentMethod = value;
                return this;
            }

            /**
             * recurringConsent.
             *
             * @param value the value
             * @return this builder
             */
            public Builder recurringConsent(RecurringConsent value) {
                this.recurringConsent = value;
                return this;
            }

            /**
             * receipt.
             *
             * @param value the value
             * @return this builder
             */
            public Builder receipt(Receipt value) {
                this.receipt = value;
                return this;
            }

            /** {@return the record} */
            public NewCardPayment build() {
                return new NewCardPayment(paymentPointID, orderID, amount, currency, description, customerID, returnUrl, savePaymentMethod, recurringConsent, receipt);
            }
        }
    }

    /**
     * A new SBP payment that the buyer pays by QR code. It has no order number: match it by its id.
     *
     * @param paymentPointID May be omitted if exactly one point is active
     * @param amount Rubles; on the wire the JSON number with exactly these digits
     * @param currency Always RUB
     * @param description Payment purpose
     * @param returnUrl May differ from the saved returnUrl in path and query only
     * @param receipt receipt
     */
    public record NewQrPayment(
        String paymentPointID,
        BigDecimal amount,
        String currency,
        String description,
        String returnUrl,
        Receipt receipt
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link NewQrPayment}. */
        public static final class Builder {
            private String paymentPointID;
            private BigDecimal amount;
            private String currency;
            private String description;
            private String returnUrl;
            private Receipt receipt;

            private Builder() {}

            /**
             * May be omitted if exactly one point is active.
             *
             * @param value the value
             * @return this builder
             */
            public Builder paymentPointID(String value) {
                this.paymentPointID = value;
                return this;
            }

            /**
             * Rubles; on the wire the JSON number with exactly these digits.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(BigDecimal value) {
                this.amount = value;
                return this;
            }

            /**
             * Rubles; on the wire the JSON number with exactly these digits.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(String value) {
                return amount(Wire.decimal("amount", value));
            }

            /**
             * Always RUB.
             *
             * @param value the value
             * @return this builder
             */
            public Builder currency(String value) {
                this.currency = value;
                return this;
            }

            /**
             * Payment purpose.
             *
             * @param value the value
             * @return this builder
             */
            public Builder description(String value) {
                this.description = value;
                return this;
            }

            /**
             * May differ from the saved returnUrl in path and query only.
             *
             * @param value the value
             * @return this builder
             */
            public Builder returnUrl(String value) {
                this.returnUrl = value;
                return this;
            }

            /**
             * receipt.
             *
             * @param value the value
             * @return this builder
             */
            public Builder receipt(Receipt value) {
                this.receipt = value;
                return this;
            }

            /** {@return the record} */
            public NewQrPayment build() {
                return new NewQrPayment(paymentPointID, amount, currency, description, returnUrl, receipt);
            }
        }
    }

    /**
     * Charges a saved card without the buyer being present.
     *
     * @param merchantOrderId The partner's unique order number
     * @param amount Rubles: an exact decimal string with two decimal places
     * @param currency Always RUB
     * @param bindingId The binding to charge
     * @param description Payment purpose
     * @param receipt receipt
     */
    public record NewRecurringPayment(
        String merchantOrderId,
        BigDecimal amount,
        String currency,
        String bindingId,
        String description,
        Receipt receipt
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link NewRecurringPayment}. */
        public static final class Builder {
            private String merchantOrderId;
            private BigDecimal amount;
            private String currency = "RUB";
            private String bindingId;
            private String description;
            private Receipt receipt;

            private Builder() {}

            /**
             * The partner's unique order number.
             *
             * @param value the value
             * @return this builder
             */
            public Builder merchantOrderId(String value) {
                this.merchantOrderId = value;
                return this;
            }

            /**
             * Rubles: an exact decimal string with two decimal places.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(BigDecimal value) {
                this.amount = value;
                return this;
            }

            /**
             * Rubles: an exact decimal string with two decimal places.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(String value) {
                return amount(Wire.decimal("amount", value));
            }

            /**
             * Always RUB.
             *
             * @param value the value
             * @return this builder
             */
            public Builder currency(String value) {
                this.currency = value;
                return this;
            }

            /**
             * The binding to charge.
             *
             * @param value the value
             * @return this builder
             */
            public Builder bindingId(String value) {
                this.bindingId = value;
                return this;
            }

            /**
             * Payment purpose.
             *
             * @param value the value
             * @return this builder
             */
            public Builder description(String value) {
                this.description = value;
                return this;
            }

            /**
             * receipt.
             *
             * @param value the value
             * @return this builder
             */
            public Builder receipt(Receipt value) {
                this.receipt = value;
                return this;
            }

            /** {@return the record} */
            public NewRecurringPayment build() {
                return new NewRecurringPayment(merchantOrderId, amount, currency, bindingId, description, receipt);
            }
        }
    }

    /**
     * Refunds the buyer: part of the payment, or all that remains.
     *
     * @param amount If omitted: all that remains
     * @param reason Why, in your words
     * @param merchantRefundId The partner's unique refund number
     * @param receipt The items refunded. Required for a partial refund of a payment that was created with a receipt
     */
    public record NewRefund(
        BigDecimal amount,
        String reason,
        String merchantRefundId,
        Receipt receipt
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link NewRefund}. */
        public static final class Builder {
            private BigDecimal amount;
            private String reason;
            private String merchantRefundId;
            private Receipt receipt;

            private Builder() {}

            /**
             * If omitted: all that remains.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(BigDecimal value) {
                this.amount = value;
                return this;
            }

            /**
             * If omitted: all that remains.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(String value) {
                return amount(Wire.decimal("amount", value));
            }

            /**
             * Why, in your words.
             *
             * @param value the value
             * @return this builder
             */
            public Builder reason(String value) {
                this.reason = value;
                return this;
            }

            /**
             * The partner's unique refund number.
             *
             * @param value the value
             * @return this builder
             */
            public Builder merchantRefundId(String value) {
                this.merchantRefundId = value;
                return this;
            }

            /**
             * The items refunded. Required for a partial refund of a payment that was created with a receipt.
             *
             * @param value the value
             * @return this builder
             */
            public Builder receipt(Receipt value) {
                this.receipt = value;
                return this;
            }

            /** {@return the record} */
            public NewRefund build() {
                return new NewRefund(amount, reason, merchantRefundId, receipt);
            }
        }
    }

    /**
     * Requests a payout, which people review and transfer manually.
     *
     * @param storeId The store that pays
     * @param amountUsdt USDT: a decimal string with up to six decimal places, at least 0.000001
     * @param beneficiaryRef An agreed recipient, by the reference that the service issued: never a wallet address
     */
    public record NewWithdrawalRequest(
        String storeId,
        BigDecimal amountUsdt,
        String beneficiaryRef
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link NewWithdrawalRequest}. */
        public static final class Builder {
            private String storeId;
            private BigDecimal amountUsdt;
            private String beneficiaryRef;

            private Builder() {}

            /**
             * The store that pays.
             *
             * @param value the value
             * @return this builder
             */
            public Builder storeId(String value) {
                this.storeId = value;
                return this;
            }

            /**
             * USDT: a decimal string with up to six decimal places, at least 0.000001.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amountUsdt(BigDecimal value) {
                this.amountUsdt = value;
                return this;
            }

            /**
             * USDT: a decimal string with up to six decimal places, at least 0.000001.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amountUsdt(String value) {
                return amountUsdt(Wire.decimal("amountUsdt", value));
            }

            /**
             * An agreed recipient, by the reference that the service issued: never a wallet address.
             *
             * @param value the value
             * @return this builder
             */
            public Builder beneficiaryRef(String value) {
                this.beneficiaryRef = value;
                return this;
            }

            /** {@return the record} */
            public NewWithdrawalRequest build() {
                return new NewWithdrawalRequest(storeId, amountUsdt, beneficiaryRef);
            }
        }
    }

    /**
     * The response to a created card payment, and to a repeat of the request.
     *
     * @param id The id of the payment; called orderId in events
     * @param orderID The partner's unique order number
     * @param amount Rubles; on the wire the JSON number with exactly these digits
     * @param currency Always RUB
     * @param status The status of the payment: one of {@link PaymentStatus}
     * @param paymentUrl The hosted payment page; absent while it cannot be used
     * @param expiresAt When the payment session ends
     * @param statusUrl The path of its current status
     */
    public record CreatedCardPayment(
        String id,
        String orderID,
        BigDecimal amount,
        String currency,
        String status,
        String paymentUrl,
        String expiresAt,
        String statusUrl
    ) {}

    /**
     * The response to a created QR payment, and to a repeat of the request.
     *
     * @param id The id of the payment; called orderId in events
     * @param status The status of the payment: one of {@link PaymentStatus}
     * @param amount Rubles; on the wire the JSON number with exactly these digits
     * @param currency Always RUB
     * @param paymentMethod How the buyer pays
     * @param paymentPointID The payment point
     * @param nspkurl The link that the code contains; leads to the buyer's bank. Present together with qrImage, while the payment is open
     * @param qrImage The code as a PNG data URI. Like nspkurl, absent until the bank has registered the payment, and while its partner, point or route is suspended or closed
     * @param paymentUrl Our hosted page with the code; absent while it cannot be used
     * @param expiresAt When the payment session ends
     * @param createdAt When it was created
     * @param statusUrl The path of its current status
     */
    public record CreatedQrPayment(
        String id,
        String status,
        BigDecimal amount,
        String currency,
        String paymentMethod,
        String paymentPointID,
        String nspkurl,
        String qrImage,
        String paymentUrl,
        String expiresAt,
        String createdAt,
        String statusUrl
    ) {}

    /**
     * The saved addresses; null until first saved.
     *
     * @param callbackUrl Where events are sent; null until first saved
     * @param returnUrl Where buyers return to; null until first saved
     * @param extraEvents The enabled events; absent if none are
     * @param updatedAt When they were last saved
     */
    public record Endpoints(
        String callbackUrl,
        String returnUrl,
        List<String> extraEvents,
        String updatedAt
    ) {}

    /**
     * Requests the callback secret, once, after the addresses are saved.
     *
     * @param confirmSecureStorage The response goes straight into secret storage
     */
    public record IssueCallbackSecret(
        Boolean confirmSecureStorage
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link IssueCallbackSecret}. */
        public static final class Builder {
            private Boolean confirmSecureStorage = true;

            private Builder() {}

            /**
             * The response goes straight into secret storage.
             *
             * @param value the value
             * @return this builder
             */
            public Builder confirmSecureStorage(Boolean value) {
                this.confirmSecureStorage = value;
                return this;
            }

            /** {@return the record} */
            public IssueCallbackSecret build() {
                return new IssueCallbackSecret(confirmSecureStorage);
            }
        }
    }

    /**
     * A place where payments are accepted. The client never chooses the bank or the acquiring route behind it.
     *
     * @param paymentPointID The id to pass when a payment is created
     * @param storeID The store that it belongs to
     * @param name For people
     * @param status Payments are created at ACTIVE points only: one of {@link PointStatus}
     * @param paymentMethods What it accepts; charges of saved cards use CARD
     */
    public record PaymentPoint(
        String paymentPointID,
        String storeID,
        String name,
        String status,
        List<String> paymentMethods
    ) {}

    /**
     * A QR payment and its current status.
     *
     * @param id The id of the payment; called orderId in events
     * @param status The status of the payment: one of {@link PaymentStatus}
     * @param amount Rubles; on the wire the JSON number with exactly these digits
     * @param currency Always RUB
     * @param paymentMethod How the buyer pays
     * @param paymentPointID The payment point
     * @param nspkurl The link that the code contains; leads to the buyer's bank. Present together with qrImage, while the payment is open
     * @param qrImage The code as a PNG data URI. Like nspkurl, absent until the bank has registered the payment, and while its partner, point or route is suspended or closed
     * @param paymentUrl Our hosted page with the code; absent while it cannot be used
     * @param expiresAt When the payment session ends
     * @param createdAt When it was created
     * @param statusUrl The path of its current status
     * @param description Payment purpose
     * @param failureCode Why no money was taken: one of {@link FailureCode}
     * @param statusReason Human-readable; may be absent
     * @param bankOperationId The id of the operation at the bank; null if there is none
     * @param refundedAmount The total of confirmed refunds
     * @param updatedAt When it last changed
     */
    public record QrPayment(
        String id,
        String status,
        BigDecimal amount,
        String currency,
        String paymentMethod,
        String paymentPointID,
        String nspkurl,
        String qrImage,
        String paymentUrl,
        String expiresAt,
        String createdAt,
        String statusUrl,
        String description,
        String failureCode,
        String statusReason,
        String bankOperationId,
        BigDecimal refundedAmount,
        String updatedAt
    ) {}

    /**
     * One line of a receipt.
     *
     * @param name What the receipt calls it
     * @param price Unit price in rubles after discounts: an exact decimal string
     * @param quantity A decimal string such as "1" or "0.250", greater than zero, at most 8 characters
     * @param amount Total in rubles: price times quantity, to the kopeck; a fraction of a kopeck may be rounded up or down
     * @param vat The rate of VAT (tag 1199); NONE: not subject to it: NONE, VAT0, VAT5, VAT7, VAT10, VAT20, VAT22, VAT105, VAT107, VAT110, VAT120, VAT122
     * @param paymentMethod How it is paid for: FULL_PREPAYMENT, PREPAYMENT, ADVANCE, FULL_PAYMENT, PARTIAL_PAYMENT, CREDIT, CREDIT_PAYMENT
     * @param paymentObject What it is; COMPOSITE is allowed in FFD 1.05 only: COMMODITY, EXCISE, JOB, SERVICE, GAMBLING_BET, GAMBLING_PRIZE, LOTTERY, LOTTERY_PRIZE, INTELLECTUAL_ACTIVITY, PAYMENT, AGENT_COMMISSION, COMPOSITE, ANOTHER
     * @param measurementUnit Required in FFD 1.2, not allowed in FFD 1.05: PIECE, GRAM, KILOGRAM, TON, CENTIMETER, DECIMETER, METER, SQUARE_CENTIMETER, SQUARE_DECIMETER, SQUARE_METER, MILLILITER, LITER, CUBIC_METER, KILOWATT_HOUR, GIGACALORIE, DAY, HOUR, MINUTE, SECOND, KILOBYTE, MEGABYTE, GIGABYTE, TERABYTE, OTHER
     */
    public record ReceiptItem(
        String name,
        BigDecimal price,
        BigDecimal quantity,
        BigDecimal amount,
        String vat,
        String paymentMethod,
        String paymentObject,
        String measurementUnit
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link ReceiptItem}. */
        public static final class Builder {
            private String name;
            private BigDecimal price;
            private BigDecimal quantity;
            private BigDecimal amount;
            private String vat;
            private String paymentMethod;
            private String paymentObject;
            private String measurementUnit;

            private Builder() {}

            /**
             * What the receipt calls it.
             *
             * @param value the value
             * @return this builder
             */
            public Builder name(String value) {
                this.name = value;
                return this;
            }

            /**
             * Unit price in rubles after discounts: an exact decimal string.
             *
             * @param value the value
             * @return this builder
             */
            public Builder price(BigDecimal value) {
                this.price = value;
                return this;
            }

            /**
             * Unit price in rubles after discounts: an exact decimal string.
             *
             * @param value the value
             * @return this builder
             */
            public Builder price(String value) {
                return price(Wire.decimal("price", value));
            }

            /**
             * A decimal string such as "1" or "0.250", greater than zero, at most 8 characters.
             *
             * @param value the value
             * @return this builder
             */
            public Builder quantity(BigDecimal value) {
                this.quantity = value;
                return this;
            }

            /**
             * A decimal string such as "1" or "0.250", greater than zero, at most 8 characters.
             *
             * @param value the value
             * @return this builder
             */
            public Builder quantity(String value) {
                return quantity(Wire.decimal("quantity", value));
            }

            /**
             * Total in rubles: price times quantity, to the kopeck; a fraction of a kopeck may be rounded up or down.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(BigDecimal value) {
                this.amount = value;
                return this;
            }

            /**
             * Total in rubles: price times quantity, to the kopeck; a fraction of a kopeck may be rounded up or down.
             *
             * @param value the value
             * @return this builder
             */
            public Builder amount(String value) {
                return amount(Wire.decimal("amount", value));
            }

            /**
             * The rate of VAT (tag 1199); NONE: not subject to it: NONE, VAT0, VAT5, VAT7, VAT10, VAT20, VAT22, VAT105, VAT107, VAT110, VAT120, VAT122.
             *
             * @param value the value
             * @return this builder
             */
            public Builder vat(String value) {
                this.vat = value;
                return this;
            }

            /**
             * How it is paid for: FULL_PREPAYMENT, PREPAYMENT, ADVANCE, FULL_PAYMENT, PARTIAL_PAYMENT, CREDIT, CREDIT_PAYMENT.
             *
             * @param value the value
             * @return this builder
             */
            public Builder paymentMethod(String value) {
                this.paymentMethod = value;
                return this;
            }

            /**
             * What it is; COMPOSITE is allowed in FFD 1.05 only: COMMODITY, EXCISE, JOB, SERVICE, GAMBLING_BET, GAMBLING_PRIZE, LOTTERY, LOTTERY_PRIZE, INTELLECTUAL_ACTIVITY, PAYMENT, AGENT_COMMISSION, COMPOSITE, ANOTHER.
             *
             * @param value the value
             * @return this builder
             */
            public Builder paymentObject(String value) {
                this.paymentObject = value;
                return this;
            }

            /**
             * Required in FFD 1.2, not allowed in FFD 1.05: PIECE, GRAM, KILOGRAM, TON, CENTIMETER, DECIMETER, METER, SQUARE_CENTIMETER, SQUARE_DECIMETER, SQUARE_METER, MILLILITER, LITER, CUBIC_METER, KILOWATT_HOUR, GIGACALORIE, DAY, HOUR, MINUTE, SECOND, KILOBYTE, MEGABYTE, GIGABYTE, TERABYTE, OTHER.
             *
             * @param value the value
             * @return this builder
             */
            public Builder measurementUnit(String value) {
                this.measurementUnit = value;
                return this;
            }

            /** {@return the record} */
            public ReceiptItem build() {
                return new ReceiptItem(name, price, quantity, amount, vat, paymentMethod, paymentObject, measurementUnit);
            }
        }
    }

    /**
     * The contents of the 54-FZ receipt. The amounts of its items add up to the amount of the payment or refund. The receipt is sent to the buyer's email or phone: one is required, both are allowed.
     *
     * @param ffdVersion The format version of the cash register; 1.05 if omitted: 1.05, 1.2
     * @param taxation The tax system of the seller (tag 1055): OSN, USN_INCOME, USN_INCOME_OUTCOME, ESN, PATENT
     * @param email Where the buyer gets the receipt
     * @param phone Where the buyer gets the receipt
     * @param items What was sold
     */
    public record Receipt(
        String ffdVersion,
        String taxation,
        String email,
        String phone,
        List<ReceiptItem> items
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link Receipt}. */
        public static final class Builder {
            private String ffdVersion;
            private String taxation;
            private String email;
            private String phone;
            private List<ReceiptItem> items;

            private Builder() {}

            /**
             * The format version of the cash register; 1.05 if omitted: 1.05, 1.2.
             *
             * @param value the value
             * @return this builder
             */
            public Builder ffdVersion(String value) {
                this.ffdVersion = value;
                return this;
            }

            /**
             * The tax system of the seller (tag 1055): OSN, USN_INCOME, USN_INCOME_OUTCOME, ESN, PATENT.
             *
             * @param value the value
             * @return this builder
             */
            public Builder taxation(String value) {
                this.taxation = value;
                return this;
            }

            /**
             * Where the buyer gets the receipt.
             *
             * @param value the value
             * @return this builder
             */
            public Builder email(String value) {
                this.email = value;
                return this;
            }

            /**
             * Where the buyer gets the receipt.
             *
             * @param value the value
             * @return this builder
             */
            public Builder phone(String value) {
                this.phone = value;
                return this;
            }

            /**
             * What was sold.
             *
             * @param value the value
             * @return this builder
             */
            public Builder items(List<ReceiptItem> value) {
                this.items = value;
                return this;
            }

            /** {@return the record} */
            public Receipt build() {
                return new Receipt(ffdVersion, taxation, email, phone, items);
            }
        }
    }

    /**
     * The buyer's consent to later charges. With capture MERCHANT the partner collected it, and states what was shown and when.
     *
     * @param period Charges are made at most this often; fixed for the life of the binding: one of {@link ChargePeriod}
     * @param capture You showed the consent on your own page, which has to be agreed with us. Left out: the payment page asks
     * @param reference Your number of the consent
     * @param version The version of the text that was shown
     * @param acceptedAt When the buyer agreed: ISO 8601 UTC, after 2014 and not in the future
     * @param evidenceHash SHA-256, lowercase hex, of the exact UTF-8 text and terms shown to the buyer
     */
    public record RecurringConsent(
        String period,
        String capture,
        String reference,
        String version,
        String acceptedAt,
        String evidenceHash
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link RecurringConsent}. */
        public static final class Builder {
            private String period;
            private String capture;
            private String reference;
            private String version;
            private String acceptedAt;
            private String evidenceHash;

            private Builder() {}

            /**
             * Charges are made at most this often; fixed for the life of the binding: one of {@link ChargePeriod}.
             *
             * @param value the value
             * @return this builder
             */
            public Builder period(String value) {
                this.period = value;
                return this;
            }

            /**
             * You showed the consent on your own page, which has to be agreed with us. Left out: the payment page asks.
             *
             * @param value the value
             * @return this builder
             */
            public Builder capture(String value) {
                this.capture = value;
                return this;
            }

            /**
             * Your number of the consent.
             *
             * @param value the value
             * @return this builder
             */
            public Builder reference(String value) {
                this.reference = value;
                return this;
            }

            /**
             * The version of the text that was shown.
             *
             * @param value the value
             * @return this builder
             */
            public Builder version(String value) {
                this.version = value;
                return this;
            }

            /**
             * When the buyer agreed: ISO 8601 UTC, after 2014 and not in the future.
             *
             * @param value the value
             * @return this builder
             */
            public Builder acceptedAt(String value) {
                this.acceptedAt = value;
                return this;
            }

            /**
             * SHA-256, lowercase hex, of the exact UTF-8 text and terms shown to the buyer.
             *
             * @param value the value
             * @return this builder
             */
            public Builder evidenceHash(String value) {
                this.evidenceHash = value;
                return this;
            }

            /** {@return the record} */
            public RecurringConsent build() {
                return new RecurringConsent(period, capture, reference, version, acceptedAt, evidenceHash);
            }
        }
    }

    /**
     * The response to an accepted charge, and to a repeat of the request.
     *
     * @param paymentId The id of the payment; called orderId in events
     * @param merchantOrderId The partner's unique order number
     * @param status The status of the payment: one of {@link PaymentStatus}
     * @param amount Rubles: an exact decimal string with two decimal places
     * @param currency Always RUB
     * @param paymentMethod A charge of a saved card
     * @param experience The buyer is not present
     * @param bindingId The binding that is charged
     * @param createdAt When the charge was accepted
     * @param statusUrl The path of its current status
     */
    public record RecurringPayment(
        String paymentId,
        String merchantOrderId,
        String status,
        BigDecimal amount,
        String currency,
        String paymentMethod,
        String experience,
        String bindingId,
        String createdAt,
        String statusUrl
    ) {}

    /**
     * A refund and its current status.
     *
     * @param refundId The id of the refund
     * @param orderId The id of the payment
     * @param merchantOrderId The partner's order number; empty for QR
     * @param merchantRefundId The partner's unique refund number
     * @param amount The amount of this refund
     * @param refundedAmount The total of confirmed refunds of the payment
     * @param currency Always RUB
     * @param status PENDING: the bank has not decided: one of {@link RefundStatus}
     * @param reason As it was requested
     * @param failureCode Why no money was returned: one of {@link RefundFailureCode}
     * @param statusReason Human-readable; may be absent
     * @param bankOperationId The id of the operation at the bank; null if there is none
     * @param createdAt When it was requested
     * @param updatedAt When it last changed
     * @param completedAt When the bank confirmed it
     * @param statusUrl The path of its current status
     */
    public record Refund(
        String refundId,
        String orderId,
        String merchantOrderId,
        String merchantRefundId,
        BigDecimal amount,
        BigDecimal refundedAmount,
        String currency,
        String status,
        String reason,
        String failureCode,
        String statusReason,
        String bankOperationId,
        String createdAt,
        String updatedAt,
        String completedAt,
        String statusUrl
    ) {}

    /**
     * A closed day: what changed your ruble balance.
     *
     * @param date A day in UTC, such as 2026-11-22
     * @param currency Always RUB
     * @param openingBalance What we owed you at the close of the previous day
     * @param payments Payments by buyers, before our fees
     * @param recurringCharges Charges of saved cards, before our fees
     * @param refunds Reserved for refunds, less what was released by failed refunds
     * @param fees Our fees of the day: negative or zero
     * @param closingBalance openingBalance + payments + recurringCharges + refunds + fees, to the kopeck
     * @param lines The number of entries of the day
     * @param parts The number of parts; each has at most 5,000 lines
     * @param madeAt When the register was made; it never changes afterwards
     */
    public record Register(
        String date,
        String currency,
        BigDecimal openingBalance,
        BigDecimal payments,
        BigDecimal recurringCharges,
        BigDecimal refunds,
        BigDecimal fees,
        BigDecimal closingBalance,
        Integer lines,
        Integer parts,
        String madeAt
    ) {}

    /**
     * One entry of a register.
     *
     * @param line Numbered from 1 across all parts
     * @param bookedAt Earlier than the day of the register if the entry missed the register of its own day
     * @param type REFUND: requested, its amount is reserved; REFUND_FAILED: the amount is returned to the balance: PAYMENT, RECURRING_CHARGE, REFUND, REFUND_FAILED
     * @param orderId The payment
     * @param merchantOrderId Your order number; empty for QR
     * @param refundId The refund; null for a payment
     * @param merchantRefundId Your refund number; null if there is none
     * @param paymentPointID The payment point
     * @param paymentMethod How the buyer paid: one of {@link PaymentMethod}
     * @param amount Before our fee; negative for a refund
     * @param fee Negative or zero
     * @param net amount + fee
     * @param balance The balance after this line
     */
    public record RegisterLine(
        Integer line,
        String bookedAt,
        String type,
        String orderId,
        String merchantOrderId,
        String refundId,
        String merchantRefundId,
        String paymentPointID,
        String paymentMethod,
        BigDecimal amount,
        BigDecimal fee,
        BigDecimal net,
        BigDecimal balance
    ) {}

    /**
     * A closed day with the lines of one of its parts.
     *
     * @param date A day in UTC, such as 2026-11-22
     * @param currency Always RUB
     * @param openingBalance What we owed you at the close of the previous day
     * @param payments Payments by buyers, before our fees
     * @param recurringCharges Charges of saved cards, before our fees
     * @param refunds Reserved for refunds, less what was released by failed refunds
     * @param fees Our fees of the day: negative or zero
     * @param closingBalance openingBalance + payments + recurringCharges + refunds + fees, to the kopeck
     * @param lines The number of entries of the day
     * @param parts The number of parts; each has at most 5,000 lines
     * @param madeAt When the register was made; it never changes afterwards
     * @param part Which part this is, from 1
     * @param items The lines of this part
     */
    public record RegisterPart(
        String date,
        String currency,
        BigDecimal openingBalance,
        BigDecimal payments,
        BigDecimal recurringCharges,
        BigDecimal refunds,
        BigDecimal fees,
        BigDecimal closingBalance,
        Integer lines,
        Integer parts,
        String madeAt,
        Integer part,
        List<RegisterLine> items
    ) {}

    /**
     * Where events are sent, and where buyers return to.
     *
     * @param callbackUrl Used for all payment methods; must not respond with a redirect
     * @param returnUrl The default for all payments
     * @param extraEvents Events to send in addition to the standard eight. Omitted: no change; []: none
     */
    public record NewEndpoints(
        String callbackUrl,
        String returnUrl,
        List<String> extraEvents
    ) {
        /** {@return a builder} */
        public static Builder builder() {
            return new Builder();
        }

        /** Builds a {@link NewEndpoints}. */
        public static final class Builder {
            private String callbackUrl;
            private String returnUrl;
            private List<String> extraEvents;

            private Builder() {}

            /**
             * Used for all payment methods; must not respond with a redirect.
             *
             * @param value the value
             * @return this builder
             */
            public Builder callbackUrl(String value) {
                this.callbackUrl = value;
                return this;
            }

            /**
             * The default for all payments.
             *
             * @param value the value
             * @return this builder
             */
            public Builder returnUrl(String value) {
                this.returnUrl = value;
                return this;
            }

            /**
             * Events to send in addition to the standard eight. Omitted: no change; []: none.
             *
             * @param value the value
             * @return this builder
             */
            public Builder extraEvents(List<String> value) {
                this.extraEvents = value;
                return this;
            }

            /** {@return the record} */
            public NewEndpoints build() {
                return new NewEndpoints(callbackUrl, returnUrl, extraEvents);
            }
        }
    }

    /**
     * The event that is sent again: the partner's latest payment.completed.
     *
     * @param eventId The event that is sent again
     * @param type Its type
     * @param orderId The id of the payment, called orderId in the event
     */
    public record TestCallback(
        String eventId,
        String type,
        String orderId
    ) {}

    /**
     * A closed day: what changed your USDT balance.
     *
     * @param date A day in UTC, such as 2026-11-22
     * @param currency Always USDT
     * @param openingAvailable What was available at the close of the previous day, across all your stores
     * @param openingReserved What payout requests had reserved at that time
     * @param funded Credited to your stores
     * @param requested Reserved by new payout requests
     * @param released Released by requests that were rejected, cancelled or failed
     * @param completed Paid out
     * @param closingAvailable openingAvailable + funded - requested + released, to the millionth
     * @param closingReserved openingReserved + requested - released - completed, to the millionth
     * @param lines The number of entries of the day
     * @param parts The number of parts; each has at most 5,000 lines
     * @param madeAt When the register was made; it never changes afterwards
     */
    public record UsdtRegister(
        String date,
        String currency,
        BigDecimal openingAvailable,
        BigDecimal openingReserved,
        BigDecimal funded,
        BigDecimal requested,
        BigDecimal released,
        BigDecimal completed,
        BigDecimal closingAvailable,
        BigDecimal closingReserved,
        Integer lines,
        Integer parts,
        String madeAt
    ) {}

    /**
     * One entry of a USDT register.
     *
     * @param line Numbered from 1 across all parts
     * @param bookedAt Earlier than the day of the register if the entry missed the register of its own day
     * @param type What happened: FUNDING, WITHDRAWAL_REQUESTED, WITHDRAWAL_REJECTED, WITHDRAWAL_CANCELLED, WITHDRAWAL_FAILED, WITHDRAWAL_COMPLETED
     * @param storeId The store whose balance changed
     * @param withdrawalRequestId The payout request; null for a funding
     * @param fundingId The funding; null for a payout request
     * @param beneficiaryRef The recipient; null for a funding
     * @param transferReference The reference of the manual transfer; WITHDRAWAL_COMPLETED only
     * @param amount Always positive, whatever the type
     * @param availableChange The change of what is available
     * @param reservedChange The change of what is reserved
     * @param available After this line, across all your stores
     * @param reserved After this line, across all your stores
     */
    public record UsdtRegisterLine(
        Integer line,
        String bookedAt,
        String type,
        String storeId,
        String withdrawalRequestId,
        String fundingId,
        String beneficiaryRef,
        String transferReference,
        BigDecimal amount,
        BigDecimal availableChange,
        BigDecimal reservedChange,
        BigDecimal available,
        BigDecimal reserved
    ) {}

    /**
     * A closed day in USDT with the lines of one of its parts.
     *
     * @param date A day in UTC, such as 2026-11-22
     * @param currency Always USDT
     * @param openingAvailable What was available at the close of the previous day, across all your stores
     * @param openingReserved What payout requests had reserved at that time
     * @param funded Credited to your stores
     * @param requested Reserved by new payout requests
     * @param released Released by requests that were rejected, cancelled or failed
     * @param completed Paid out
     * @param closingAvailable openingAvailable + funded - requested + released, to the millionth
     * @param closingReserved openingReserved + requested - released - completed, to the millionth
     * @param lines The number of entries of the day
     * @param parts The number of parts; each has at most 5,000 lines
     * @param madeAt When the register was made; it never changes afterwards
     * @param part Which part this is, from 1
     * @param items The lines of this part
     */
    public record UsdtRegisterPart(
        String date,
        String currency,
        BigDecimal openingAvailable,
        BigDecimal openingReserved,
        BigDecimal funded,
        BigDecimal requested,
        BigDecimal released,
        BigDecimal completed,
        BigDecimal closingAvailable,
        BigDecimal closingReserved,
        Integer lines,
        Integer parts,
        String madeAt,
        Integer part,
        List<UsdtRegisterLine> items
    ) {}

    /**
     * A store's balance in our internal accounting. It is not the balance of a wallet.
     *
     * @param storeId The store whose balance it is
     * @param currency Always USDT
     * @param availableUsdt What can be requested: an exact decimal string with six decimal places
     * @param reservedUsdt What open payout requests hold: an exact decimal string with six decimal places
     */
    public record WithdrawalBalance(
        String storeId,
        String currency,
        BigDecimal availableUsdt,
        BigDecimal reservedUsdt
    ) {}

    /**
     * A payout request. REQUESTED does not confirm a transfer.
     *
     * @param withdrawalRequestId The id of the payout request
     * @param storeId The store whose balance it is
     * @param amountUsdt USDT: an exact decimal string with six decimal places
     * @param beneficiaryRef An agreed recipient, by the reference that the service issued: never a wallet address
     * @param status The status of the payout request: one of {@link WithdrawalStatus}
     * @param statusReason Why it was rejected, cancelled or failed
     * @param reviewedAt When it was approved or rejected
     * @param completedAt When the transfer was confirmed
     * @param transferReference The reference of the manual transfer
     * @param createdAt When it was requested
     * @param updatedAt When it last changed
     */
    public record WithdrawalRequest(
        String withdrawalRequestId,
        String storeId,
        BigDecimal amountUsdt,
        String beneficiaryRef,
        String status,
        String statusReason,
        String reviewedAt,
        String completedAt,
        String transferReference,
        String createdAt,
        String updatedAt
    ) {}
}
