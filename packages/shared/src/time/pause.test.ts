import { describe, expect, it } from '@jest/globals';
import { createPause } from './pause.ts';

const NEVER_MS = 2 ** 30;
const open = () => new AbortController().signal;

describe('pause', () => {
  it('ends when its time is over', async () => {
    await expect(createPause().wait(1, open())).resolves.toBeUndefined();
  });

  it('ends when woken', async () => {
    const pause = createPause();
    const waiting = pause.wait(NEVER_MS, open());
    pause.wake();
    await expect(waiting).resolves.toBeUndefined();
  });

  it('does not begin when somebody woke it before, and begins again the time after', async () => {
    const pause = createPause();
    pause.wake();
    await pause.wait(NEVER_MS, open());
    let ended = false;
    const second = pause.wait(NEVER_MS, open()).then(() => (ended = true));
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    pause.wake();
    await second;
  });

  it('ends with what it belongs to, and does not begin after that', async () => {
    const life = new AbortController();
    const waiting = createPause().wait(NEVER_MS, life.signal);
    life.abort();
    await waiting;
    await expect(createPause().wait(NEVER_MS, life.signal)).resolves.toBeUndefined();
  });
});
