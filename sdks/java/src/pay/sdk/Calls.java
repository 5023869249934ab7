// Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.
package pay.sdk;

import java.util.List;
import java.util.Optional;
import pay.sdk.Records.*;

/** Every call of the API. A POST without an {@code idempotencyKey} gets a new one. */
public abstract class Calls {
    Calls() {}

    abstract <T> T get(String target, Class<T> type);

    abstract <T> T send(String method, String target, byte[] body, String idempotencyKey, Class<T> type);

    abstract <T> ListPage<T> page(String target, Class<T> item);

    abstract <T> List<T> items(String target, Class<T> item);

    abstract String csv(String target);

    /**
     * Create a card payment; the buyer pays at paymentUrl.
     *
     * @param body the request
     * @return the record
     */
    public CreatedCardPayment createCardPayment(NewCardPayment body) {
        return createCardPayment(body, null);
    }

    /**
     * Create a card payment; the buyer pays at paymentUrl.
     *
     * @param body the request
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public CreatedCardPayment createCardPayment(NewCardPayment body, String idempotencyKey) {
        return send("POST", "/api/card", Wire.body(body, true), idempotencyKey, CreatedCardPayment.class);
    }

    /**
     * List the partner's card payments and charges of saved cards, newest first, or find one by its order number.
     *
     * @return one page
     */
    public ListPage<CardPayment> listCardPayments() {
        return listCardPayments(null);
    }

    /**
     * List the partner's card payments and charges of saved cards, newest first, or find one by its order number.
     *
     * @param query what to list
     * @return one page
     */
    public ListPage<CardPayment> listCardPayments(CardListOptions query) {
        return page("/api/card" + Wire.query(query), CardPayment.class);
    }

    /**
     * Find the payment or charge with this order number.
     *
     * @param orderID your order number
     * @return the payment, if there is one
     */
    public Optional<CardPayment> findCardPayment(String orderID) {
        return page("/api/card" + Wire.query("orderID", orderID), CardPayment.class).items().stream().findFirst();
    }

    /**
     * Get a card payment and its current status.
     *
     * @param id as in the path
     * @return the record
     */
    public CardPayment readCardPayment(String id) {
        return get("/api/card/" + Wire.part(id), CardPayment.class);
    }

    /**
     * Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED.
     *
     * @param id as in the path
     * @return the record
     */
    public CardPayment cancelCardPayment(String id) {
        return cancelCardPayment(id, null);
    }

    /**
     * Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED.
     *
     * @param id as in the path
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public CardPayment cancelCardPayment(String id, String idempotencyKey) {
        return send("POST", "/api/card/" + Wire.part(id) + "/cancel", Wire.NOTHING, idempotencyKey, CardPayment.class);
    }

    /**
     * Refund part of a payment, or all that remains.
     *
     * @param id as in the path
     * @return the record
     */
    public Refund refundCardPayment(String id) {
        return refundCardPayment(id, null, null);
    }

    /**
     * Refund part of a payment, or all that remains.
     *
     * @param id as in the path
     * @param body the request
     * @return the record
     */
    public Refund refundCardPayment(String id, NewRefund body) {
        return refundCardPayment(id, body, null);
    }

    /**
     * Refund part of a payment, or all that remains.
     *
     * @param id as in the path
     * @param body the request
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public Refund refundCardPayment(String id, NewRefund body, String idempotencyKey) {
        return send("POST", "/api/card/" + Wire.part(id) + "/refunds", Wire.body(body, false), idempotencyKey, Refund.class);
    }

    /**
     * List the refunds of a payment, newest first.
     *
     * @param id as in the path
     * @return one page
     */
    public ListPage<Refund> listCardRefunds(String id) {
        return listCardRefunds(id, null);
    }

    /**
     * List the refunds of a payment, newest first.
     *
     * @param id as in the path
     * @param query what to list
     * @return one page
     */
    public ListPage<Refund> listCardRefunds(String id, PageOptions query) {
        return page("/api/card/" + Wire.part(id) + "/refunds" + Wire.query(query), Refund.class);
    }

    /**
     * Create a QR payment; the buyer pays by scanning the code.
     *
     * @param body the request
     * @return the record
     */
    public CreatedQrPayment createQrPayment(NewQrPayment body) {
        return createQrPayment(body, null);
    }

    /**
     * Create a QR payment; the buyer pays by scanning the code.
     *
     * @param body the request
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public CreatedQrPayment createQrPayment(NewQrPayment body, String idempotencyKey) {
        return send("POST", "/api/qr", Wire.body(body, true), idempotencyKey, CreatedQrPayment.class);
    }

    /**
     * Get a QR payment and its current status.
     *
     * @param id as in the path
     * @return the record
     */
    public QrPayment readQrPayment(String id) {
        return get("/api/qr/" + Wire.part(id), QrPayment.class);
    }

    /**
     * Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED.
     *
     * @param id as in the path
     * @return the record
     */
    public QrPayment cancelQrPayment(String id) {
        return cancelQrPayment(id, null);
    }

    /**
     * Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED.
     *
     * @param id as in the path
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public QrPayment cancelQrPayment(String id, String idempotencyKey) {
        return send("POST", "/api/qr/" + Wire.part(id) + "/cancel", Wire.NOTHING, idempotencyKey, QrPayment.class);
    }

    /**
     * Refund part of a payment, or all that remains.
     *
     * @param id as in the path
     * @return the record
     */
    public Refund refundQrPayment(String id) {
        return refundQrPayment(id, null, null);
    }

    /**
     * Refund part of a payment, or all that remains.
     *
     * @param id as in the path
     * @param body the request
     * @return the record
     */
    public Refund refundQrPayment(String id, NewRefund body) {
        return refundQrPayment(id, body, null);
    }

    /**
     * Refund part of a payment, or all that remains.
     *
     * @param id as in the path
     * @param body the request
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public Refund refundQrPayment(String id, NewRefund body, String idempotencyKey) {
        return send("POST", "/api/qr/" + Wire.part(id) + "/refunds", Wire.body(body, false), idempotencyKey, Refund.class);
    }

    /**
     * List the refunds of a payment, newest first.
     *
     * @param id as in the path
     * @return one page
     */
    public ListPage<Refund> listQrRefunds(String id) {
        return listQrRefunds(id, null);
    }

    /**
     * List the refunds of a payment, newest first.
     *
     * @param id as in the path
     * @param query what to list
     * @return one page
     */
    public ListPage<Refund> listQrRefunds(String id, PageOptions query) {
        return page("/api/qr/" + Wire.part(id) + "/refunds" + Wire.query(query), Refund.class);
    }

    /**
     * List the QR payments of a payment point, newest first.
     *
     * @param paymentPointID as in the path
     * @return one page
     */
    public ListPage<QrPayment> listQrPayments(String paymentPointID) {
        return listQrPayments(paymentPointID, null);
    }

    /**
     * List the QR payments of a payment point, newest first.
     *
     * @param paymentPointID as in the path
     * @param query what to list
     * @return one page
     */
    public ListPage<QrPayment> listQrPayments(String paymentPointID, QrHistoryOptions query) {
        return page("/api/payments/" + Wire.part(paymentPointID) + Wire.query(query), QrPayment.class);
    }

    /**
     * Get a refund and its current status.
     *
     * @param refundId as in the path
     * @return the record
     */
    public Refund readRefund(String refundId) {
        return get("/api/refunds/" + Wire.part(refundId), Refund.class);
    }

    /**
     * List the partner's payment points.
     *
     * @return all of them
     */
    public List<PaymentPoint> listPaymentPoints() {
        return items("/api/integration/payment-points", PaymentPoint.class);
    }

    /**
     * Save callbackUrl and returnUrl.
     *
     * @param body the request
     * @return the record
     */
    public Endpoints saveEndpoints(NewEndpoints body) {
        return send("PUT", "/api/integration/endpoints", Wire.body(body, false), null, Endpoints.class);
    }

    /**
     * Get the saved addresses.
     *
     * @return the record
     */
    public Endpoints readEndpoints() {
        return get("/api/integration/endpoints", Endpoints.class);
    }

    /**
     * Issue the callback secret, once.
     *
     * @param body the request
     * @return the record
     */
    public CallbackSecret issueCallbackSecret(IssueCallbackSecret body) {
        return issueCallbackSecret(body, null);
    }

    /**
     * Issue the callback secret, once.
     *
     * @param body the request
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public CallbackSecret issueCallbackSecret(IssueCallbackSecret body, String idempotencyKey) {
        return send("POST", "/api/integration/callback-secret", Wire.body(body, false), idempotencyKey, CallbackSecret.class);
    }

    /**
     * Send the latest payment.completed again, to check the receiver.
     *
     * @return the record
     */
    public TestCallback sendTestCallback() {
        return send("POST", "/api/integration/test-callback", Wire.NOTHING, null, TestCallback.class);
    }

    /**
     * List the closed days of the ruble balance, newest first.
     *
     * @return one page
     */
    public ListPage<Register> listRegisters() {
        return listRegisters(null);
    }

    /**
     * List the closed days of the ruble balance, newest first.
     *
     * @param query what to list
     * @return one page
     */
    public ListPage<Register> listRegisters(RegisterListOptions query) {
        return page("/api/registers/RUB" + Wire.query(query), Register.class);
    }

    /**
     * Get a closed day, entry by entry.
     *
     * @param date as in the path
     * @return the record
     */
    public RegisterPart readRegister(String date) {
        return readRegister(date, 1);
    }

    /**
     * Get a closed day, entry by entry.
     *
     * @param date as in the path
     * @param part from 1
     * @return the record
     */
    public RegisterPart readRegister(String date, int part) {
        return get("/api/registers/RUB/" + Wire.part(date) + Wire.query("part", part), RegisterPart.class);
    }

    /**
     * The same as the text of a CSV file.
     *
     * @param date as in the path
     * @return the text
     */
    public String readRegisterCsv(String date) {
        return readRegisterCsv(date, 1);
    }

    /**
     * The same as the text of a CSV file.
     *
     * @param date as in the path
     * @param part from 1
     * @return the text
     */
    public String readRegisterCsv(String date, int part) {
        return csv("/api/registers/RUB/" + Wire.part(date) + Wire.query("format", "csv", "part", part));
    }

    /**
     * List the closed days in USDT, newest first.
     *
     * @return one page
     */
    public ListPage<UsdtRegister> listUsdtRegisters() {
        return listUsdtRegisters(null);
    }

    /**
     * List the closed days in USDT, newest first.
     *
     * @param query what to list
     * @return one page
     */
    public ListPage<UsdtRegister> listUsdtRegisters(RegisterListOptions query) {
        return page("/api/registers/USDT" + Wire.query(query), UsdtRegister.class);
    }

    /**
     * Get a closed day in USDT, entry by entry.
     *
     * @param date as in the path
     * @return the record
     */
    public UsdtRegisterPart readUsdtRegister(String date) {
        return readUsdtRegister(date, 1);
    }

    /**
     * Get a closed day in USDT, entry by entry.
     *
     * @param date as in the path
     * @param part from 1
     * @return the record
     */
    public UsdtRegisterPart readUsdtRegister(String date, int part) {
        return get("/api/registers/USDT/" + Wire.part(date) + Wire.query("part", part), UsdtRegisterPart.class);
    }

    /**
     * The same as the text of a CSV file.
     *
     * @param date as in the path
     * @return the text
     */
    public String readUsdtRegisterCsv(String date) {
        return readUsdtRegisterCsv(date, 1);
    }

    /**
     * The same as the text of a CSV file.
     *
     * @param date as in the path
     * @param part from 1
     * @return the text
     */
    public String readUsdtRegisterCsv(String date, int part) {
        return csv("/api/registers/USDT/" + Wire.part(date) + Wire.query("format", "csv", "part", part));
    }

    /**
     * List the partner's events of the last 30 days, newest first.
     *
     * @return one page
     */
    public ListPage<CallbackEvent> listEvents() {
        return listEvents(null);
    }

    /**
     * List the partner's events of the last 30 days, newest first.
     *
     * @param query what to list
     * @return one page
     */
    public ListPage<CallbackEvent> listEvents(EventFilter query) {
        return page("/api/events" + Wire.query(query), CallbackEvent.class);
    }

    /**
     * Get an event with its body and its delivery attempts.
     *
     * @param eventId as in the path
     * @return the record
     */
    public CallbackEventStory readEvent(String eventId) {
        return get("/api/events/" + Wire.part(eventId), CallbackEventStory.class);
    }

    /**
     * Send an event again, whatever its status; at most 60 per minute.
     *
     * @param eventId as in the path
     * @return the record
     */
    public CallbackEvent replayEvent(String eventId) {
        return replayEvent(eventId, null);
    }

    /**
     * Send an event again, whatever its status; at most 60 per minute.
     *
     * @param eventId as in the path
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public CallbackEvent replayEvent(String eventId, String idempotencyKey) {
        return send("POST", "/api/events/" + Wire.part(eventId) + "/replay", Wire.NOTHING, idempotencyKey, CallbackEvent.class);
    }

    /**
     * Charge a saved card, at most once per period.
     *
     * @param body the request
     * @return the record
     */
    public RecurringPayment createRecurringPayment(NewRecurringPayment body) {
        return createRecurringPayment(body, null);
    }

    /**
     * Charge a saved card, at most once per period.
     *
     * @param body the request
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public RecurringPayment createRecurringPayment(NewRecurringPayment body, String idempotencyKey) {
        return send("POST", "/v1/recurring-payments", Wire.body(body, false), idempotencyKey, RecurringPayment.class);
    }

    /**
     * List a buyer's saved cards, newest first.
     *
     * @param query what to list
     * @return one page
     */
    public ListPage<Binding> listBindings(BindingFilter query) {
        return page("/v1/bindings" + Wire.query(query), Binding.class);
    }

    /**
     * Get a binding with its status and period.
     *
     * @param bindingId as in the path
     * @return the record
     */
    public Binding readBinding(String bindingId) {
        return get("/v1/bindings/" + Wire.part(bindingId), Binding.class);
    }

    /**
     * Revoke a binding: no further charges, immediately and permanently.
     *
     * @param bindingId as in the path
     * @return the record
     */
    public Binding revokeBinding(String bindingId) {
        return revokeBinding(bindingId, null);
    }

    /**
     * Revoke a binding: no further charges, immediately and permanently.
     *
     * @param bindingId as in the path
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public Binding revokeBinding(String bindingId, String idempotencyKey) {
        return send("POST", "/v1/bindings/" + Wire.part(bindingId) + "/revoke", Wire.NOTHING, idempotencyKey, Binding.class);
    }

    /**
     * Get a store's USDT balance: available and reserved.
     *
     * @param storeID as in the path
     * @return the record
     */
    public WithdrawalBalance readWithdrawalBalance(String storeID) {
        return get("/api/withdrawal-balances/" + Wire.part(storeID), WithdrawalBalance.class);
    }

    /**
     * Request a payout in USDT; the amount is reserved.
     *
     * @param body the request
     * @return the record
     */
    public WithdrawalRequest createWithdrawalRequest(NewWithdrawalRequest body) {
        return createWithdrawalRequest(body, null);
    }

    /**
     * Request a payout in USDT; the amount is reserved.
     *
     * @param body the request
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public WithdrawalRequest createWithdrawalRequest(NewWithdrawalRequest body, String idempotencyKey) {
        return send("POST", "/api/withdrawal-requests", Wire.body(body, false), idempotencyKey, WithdrawalRequest.class);
    }

    /**
     * List the partner's payout requests, newest first.
     *
     * @return one page
     */
    public ListPage<WithdrawalRequest> listWithdrawalRequests() {
        return listWithdrawalRequests(null);
    }

    /**
     * List the partner's payout requests, newest first.
     *
     * @param query what to list
     * @return one page
     */
    public ListPage<WithdrawalRequest> listWithdrawalRequests(WithdrawalFilter query) {
        return page("/api/withdrawal-requests" + Wire.query(query), WithdrawalRequest.class);
    }

    /**
     * Get a payout request and its current status.
     *
     * @param requestID as in the path
     * @return the record
     */
    public WithdrawalRequest readWithdrawalRequest(String requestID) {
        return get("/api/withdrawal-requests/" + Wire.part(requestID), WithdrawalRequest.class);
    }

    /**
     * Cancel a payout request before an operator takes it; the amount becomes available again.
     *
     * @param requestID as in the path
     * @return the record
     */
    public WithdrawalRequest cancelWithdrawalRequest(String requestID) {
        return cancelWithdrawalRequest(requestID, null);
    }

    /**
     * Cancel a payout request before an operator takes it; the amount becomes available again.
     *
     * @param requestID as in the path
     * @param idempotencyKey saved before the call, so that a repeat does nothing twice
     * @return the record
     */
    public WithdrawalRequest cancelWithdrawalRequest(String requestID, String idempotencyKey) {
        return send("POST", "/api/withdrawal-requests/" + Wire.part(requestID) + "/cancel", Wire.NOTHING, idempotencyKey, WithdrawalRequest.class);
    }
}
