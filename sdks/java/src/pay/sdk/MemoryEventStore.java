package pay.sdk;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** For tests and trials: everything is lost when the process ends. Events are applied one at a time. */
public final class MemoryEventStore implements EventStore<Void> {
    private final Set<String> seen = new HashSet<>();
    private final Map<String, Integer> versions = new HashMap<>();

    /** An empty store. */
    public MemoryEventStore() {}

    @Override
    public synchronized Receipt receive(EventReceipt receipt, Apply<Void> apply) throws Exception {
        if (seen.contains(receipt.eventId())) {
            return Receipt.REPEAT;
        }
        var isOlder = receipt.aggregateVersion() < versions.getOrDefault(receipt.aggregateId(), 0);
        if (!isOlder) {
            apply.apply(null);
            versions.put(receipt.aggregateId(), receipt.aggregateVersion());
        }
        seen.add(receipt.eventId());
        return isOlder ? Receipt.OLDER : Receipt.APPLIED;
    }
}
