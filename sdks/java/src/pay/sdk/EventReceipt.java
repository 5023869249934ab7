package pay.sdk;

/**
 * What a store needs to know about an event.
 *
 * @param eventId unique: a second event with this id is a repeat
 * @param aggregateId the payment, binding or payout request that the event is about
 * @param aggregateVersion increases by one with every event of the same aggregate
 */
public record EventReceipt(String eventId, String aggregateId, int aggregateVersion) {}
