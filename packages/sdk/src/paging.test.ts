import { describe, expect, it } from '@jest/globals';
import { everyItem } from './paging.ts';
import type { ListPage } from './types.ts';

const PAGES: Readonly<Record<string, ListPage<number>>> = {
  first: { items: [1, 2], nextPageToken: 'second' },
  second: { items: [], nextPageToken: 'third' },
  third: { items: [3], nextPageToken: null },
};

describe('every item of a list', () => {
  it('comes in order, over pages, also past an empty one', async () => {
    const read: number[] = [];
    const items = everyItem(({ pageToken = 'first' }) => Promise.resolve(PAGES[pageToken] ?? { items: [], nextPageToken: null }));
    for await (const item of items) read.push(item);
    expect(read).toEqual([1, 2, 3]);
  });

  it('reads no page before its first item is asked for', async () => {
    const asked: (string | undefined)[] = [];
    const items = everyItem(({ pageToken }) => {
      asked.push(pageToken);
      return Promise.resolve({ items: ['a', 'b'], nextPageToken: 'more' });
    });
    expect(asked).toEqual([]);
    await items.next();
    await items.next();
    expect(asked).toEqual([undefined]);
    await items.next();
    expect(asked).toEqual([undefined, 'more']);
  });

  it('throws what the call throws', async () => {
    const items = everyItem(() => Promise.reject(new Error('429')));
    await expect(items.next()).rejects.toThrow('429');
  });
});
