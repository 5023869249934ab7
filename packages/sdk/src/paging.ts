import type { ListPage } from './types.ts';

/**
 * Every item of a list, page after page: `for await (const event of everyItem((page) => client.listEvents({ type, ...page })))`.
 * The next page is read when its first item is requested. Throws what the call throws.
 */
export async function* everyItem<Item>(
  readPage: (page: { readonly pageToken?: string }) => Promise<ListPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let page = await readPage({});
  yield* page.items;
  while (page.nextPageToken !== null) {
    page = await readPage({ pageToken: page.nextPageToken });
    yield* page.items;
  }
}
