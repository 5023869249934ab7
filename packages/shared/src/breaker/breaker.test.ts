import { afterEach, describe, expect, it } from '@jest/globals';
import { CircuitOpenError, createBreaker, type Breaker } from './breaker.ts';

const broken = () => Promise.reject(new Error('the other side is broken'));
const fine = () => Promise.resolve('fine');
let breaker: Breaker;
afterEach(() => {
  breaker.close();
});

async function fail(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await expect(breaker.run(broken)).rejects.toThrow('broken');
}

describe('breaker', () => {
  it('passes results and errors through as they are', async () => {
    breaker = createBreaker({ name: 'passes' });
    const error = new Error('exactly this one');
    await expect(breaker.run(fine)).resolves.toBe('fine');
    await expect(breaker.run(() => Promise.resolve(undefined))).resolves.toBeUndefined();
    await expect(breaker.run(() => Promise.reject(error))).rejects.toBe(error);
    expect(breaker.isOpen).toBe(false);
  });

  it('stays closed for nine failures, opens at the tenth, and then sends nothing', async () => {
    breaker = createBreaker({ name: 'opens' });
    await fail(9);
    expect(breaker.isOpen).toBe(false);
    await fail(1);
    expect(breaker.isOpen).toBe(true);
    let sent = false;
    const call = () => {
      sent = true;
      return fine();
    };
    await expect(breaker.run(call)).rejects.toThrow(CircuitOpenError);
    expect(sent).toBe(false);
  });

  it('stays closed while less than half of the calls fail', async () => {
    breaker = createBreaker({ name: 'half' });
    for (let time = 0; time < 11; time += 1) await breaker.run(fine);
    await fail(10);
    expect(breaker.isOpen).toBe(false);
  });

  it('does not count an error that says nothing about the other side', async () => {
    breaker = createBreaker({ name: 'refusals', isHealthy: (error) => error instanceof RangeError });
    for (let time = 0; time < 20; time += 1) {
      await expect(breaker.run(() => Promise.reject(new RangeError('refused')))).rejects.toThrow('refused');
    }
    expect(breaker.isOpen).toBe(false);
  });

  it('lets one call through after its rest, and closes when that one succeeds', async () => {
    breaker = createBreaker({ name: 'recovers', resetMs: 1 });
    await fail(10);
    for (;;) {
      const answer = await breaker.run(fine).catch((error: unknown) => error);
      if (answer === 'fine') break;
      expect(answer).toBeInstanceOf(CircuitOpenError);
      await new Promise(setImmediate);
    }
    expect(breaker.isOpen).toBe(false);
    await expect(breaker.run(fine)).resolves.toBe('fine');
  });
});
