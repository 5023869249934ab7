import type { Unanswered } from '../../src/acquirers/bank-client.ts';
import { BankFault, bankWordOf, type BankWord, type RawAnswer } from '../../src/acquirers/bank-word.ts';
import { HOLDS_MS, type Fence } from '../../src/domain/acquiring/fence.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What happens to one call on its way; milliseconds. */
export type Fate = {
  /** Until the bank carries it out, and until its answer is back. */
  readonly there: number;
  readonly back: number;
  /**
   * `request`, `answer`: nothing comes. `page before`, `page after`: a balancer answers 404 with a page, and the call has not reached the
   * bank behind it, or was carried out.
   */
  readonly lost: string;
  /** The process stands still before the call, between the fence's answer and the first byte, or when the answer is there. */
  readonly frozenBefore: number;
  readonly frozenThere: number;
  readonly frozenAfter: number;
};
export const SMOOTH: Fate = { there: 5, back: 5, lost: 'nothing', frozenBefore: 0, frozenThere: 0, frozenAfter: 0 };

const DEADLINE_MS = 10_000;
const LEAST_MS = 2_000;
const UNKNOWN = { kind: 'unknown' } as const;
const PAGE: RawAnswer = { status: 404, contentType: 'text/html', body: Buffer.from('<h1>404 Not Found</h1>') };

/** The calls of one operation, as `bank-client.ts` sends them, over a road on which each has its fate. */
export type RoadOperation = <Result extends { readonly kind: string }>(
  isTelling: boolean,
  carryOut: () => RawAnswer,
  read: (word: BankWord) => Result,
  /** Its first byte leaves. */
  leave?: () => unknown,
) => Promise<Result | Unanswered>;

/** Begins an operation, whose calls share one deadline. */
export function beginOnRoad(clock: VirtualClock, nextFate: () => Fate, fence?: Fence): RoadOperation {
  const endsAt = clock.now + DEADLINE_MS;

  async function travel(fate: Fate, carryOut: () => RawAnswer): Promise<RawAnswer> {
    await clock.sleep(fate.there);
    if (fate.lost === 'request') await clock.sleep(1e9);
    const answer = fate.lost === 'page before' ? PAGE : carryOut();
    await clock.sleep(fate.lost === 'answer' ? 1e9 : fate.back);
    return fate.lost === 'page after' ? PAGE : answer;
  }

  return async (isTelling, carryOut, read, leave) => {
    const fate = nextFate();
    await clock.sleep(fate.frozenBefore);
    let until = endsAt;
    for (let frozen = fate.frozenThere; ; frozen = 0) {
      const { leftMs, ageMs } = (isTelling ? undefined : await fence?.ask()) ?? {
        leftMs: isTelling ? DEADLINE_MS : 0,
        ageMs: () => 0,
      };
      if (leftMs <= 0) return { kind: 'fenced' };
      until = Math.min(endsAt, clock.now - ageMs() + leftMs);
      if (until - clock.now < (isTelling ? 1 : LEAST_MS)) return { kind: 'not-sent' };
      await clock.sleep(frozen);
      if (clock.now >= until) return UNKNOWN;
      if (ageMs() <= HOLDS_MS) break;
    }
    leave?.();
    // From here on the network has it: it may keep it for longer than we wait.
    const answered = travel(fate, carryOut);
    const raw = await Promise.race([answered, clock.sleep(until - clock.now).then(() => UNKNOWN)]);
    await clock.sleep(fate.frozenAfter);
    if ('kind' in raw) return raw;
    try {
      return read(bankWordOf(raw));
    } catch (error) {
      if (error instanceof BankFault) return UNKNOWN;
      throw error;
    }
  };
}

/** An answer as the bank itself writes it. */
export const ownAnswer = (status: number, body: object): RawAnswer => ({
  status,
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(body, (_name, value: unknown) => (typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value))),
});
