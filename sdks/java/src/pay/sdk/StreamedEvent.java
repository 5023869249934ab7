package pay.sdk;

/**
 * An event of a stream. The first one that arrives has no event: it says where the stream begins.
 *
 * @param place where the stream is now: pass it as {@code after} to continue behind this event, also after a restart
 * @param event null the first time
 */
public record StreamedEvent(String place, PartnerEvent event) {}
