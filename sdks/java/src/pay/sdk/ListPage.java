package pay.sdk;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A page of a list, newest first.
 *
 * @param <T> what is listed
 * @param items the items
 * @param nextPageToken the {@code pageToken} of the next call; null on the last page
 */
public record ListPage<T>(List<T> items, String nextPageToken) {
    /**
     * Every item, page after page: {@code for (var event : ListPage.everyItem(token -> client.listEvents(EventFilter.builder().pageToken(token).build())))}.
     * A page is read when its first item is asked for.
     *
     * @param <T> what is listed
     * @param readPage reads the page of a token; of null, the first
     * @return the items
     */
    public static <T> Iterable<T> everyItem(Function<String, ListPage<T>> readPage) {
        return () -> new Iterator<>() {
            private ListPage<T> page;
            private Iterator<T> items = List.<T>of().iterator();

            @Override
            public boolean hasNext() {
                while (!items.hasNext() && (page == null || page.nextPageToken() != null)) {
                    page = readPage.apply(page == null ? null : page.nextPageToken());
                    items = page.items().iterator();
                }
                return items.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return items.next();
            }
        };
    }

    /**
     * The same as a stream.
     *
     * @param <T> what is listed
     * @param readPage reads the page of a token; of null, the first
     * @return the items
     */
    public static <T> Stream<T> stream(Function<String, ListPage<T>> readPage) {
        return StreamSupport.stream(everyItem(readPage).spliterator(), false);
    }
}
