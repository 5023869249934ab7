import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideStep, IN_FLIGHT_MAX, INITIAL, type DeliveryEvent, type State, type Step } from './decide-step.ts';

const NOTHING = { forWantOfRoom: false, partnersAtTheirCap: [] };
const NO_ROOM = { forWantOfRoom: true, partnersAtTheirCap: [] };
const atTheirCap = (...partnersAtTheirCap: string[]) => ({ forWantOfRoom: false, partnersAtTheirCap });
const everybody = { among: 'everybody', mayAnnounce: false } as const;
const fromHere = { among: 'everybody', mayAnnounce: true } as const;

const idle: State = { ...INITIAL, isWoken: false };
const full: State = { ...idle, inFlight: IN_FLIGHT_MAX };
const wait: Step = { kind: 'wait' };
const announce: Step = { kind: 'announce' };
const claim = (room: number, among: 'everybody' | readonly string[] = 'everybody'): Step => ({ kind: 'claim', room, among });
const newEvents = (...partnerIds: string[]): DeliveryEvent => ({ kind: 'new-events', partnerIds });
const claimed = (count: number, left: State['left']): DeliveryEvent => ({ kind: 'claimed', count, left });
const ended = (partnerId: string): DeliveryEvent => ({ kind: 'attempt-ended', partnerId });
const woken = (by: 'this-replica' | 'another-replica'): DeliveryEvent => ({ kind: 'woken', by });
const CLAIM_DUE: DeliveryEvent = { kind: 'claim-due' };

describe('what follows an event', () => {
  it.each<[string, State, DeliveryEvent, Step, Partial<State>]>([
    ['a wake here is kept, and may be announced', idle, woken('this-replica'), wait, { isWoken: true, mayAnnounce: true }],
    ['another replica’s wake is kept, and not announced back', idle, woken('another-replica'), wait, { isWoken: true, mayAnnounce: false }],
    [
      'another replica’s wake does not undo one here',
      { ...idle, mayAnnounce: true },
      woken('another-replica'),
      wait,
      { mayAnnounce: true },
    ],
    [
      'a claim that is due is among everybody, as much as there is room for',
      { ...idle, inFlight: 56 },
      CLAIM_DUE,
      claim(200),
      { claim: everybody },
    ],
    [
      'a claim takes the wake, and what ended before it',
      { ...idle, isWoken: true, mayAnnounce: true, ended: new Set(['p']) },
      CLAIM_DUE,
      claim(256),
      { isWoken: false, mayAnnounce: false, claim: fromHere, ended: new Set() },
    ],
    [
      'a claim without room leaves everything, and says so if it was woken here',
      { ...full, mayAnnounce: true },
      CLAIM_DUE,
      announce,
      { left: NO_ROOM, claim: undefined },
    ],
    ['a claim without room that another replica asked for tells nobody', full, CLAIM_DUE, wait, { left: NO_ROOM }],
    [
      'new events are claimed among their partners',
      idle,
      newEvents('p', 'q', 'p'),
      claim(256, ['p', 'q']),
      { claim: { among: ['p', 'q'], mayAnnounce: true } },
    ],
    [
      'new events are claimed among everybody while room is scarce',
      { ...idle, left: NO_ROOM },
      newEvents('p'),
      claim(256),
      { claim: fromHere },
    ],
    ['new events do not take a wake', { ...idle, isWoken: true }, newEvents('p'), claim(256, ['p']), { isWoken: true }],
    ['new events without room are only stored', full, newEvents('p'), wait, { claim: undefined }],
    ['new events at a stop are only stored', { ...idle, isStopping: true }, newEvents('p'), wait, { claim: undefined }],
    [
      'a claim that left nothing',
      { ...idle, claim: fromHere },
      claimed(3, NOTHING),
      wait,
      { inFlight: 3, claim: undefined, isWoken: false },
    ],
    [
      'a claim that left something for want of room',
      { ...idle, claim: fromHere },
      claimed(256, NO_ROOM),
      announce,
      { inFlight: 256, left: NO_ROOM },
    ],
    [
      'a claim that left a partner at its cap',
      { ...idle, claim: fromHere },
      claimed(16, atTheirCap('p')),
      announce,
      { announced: new Set(['p']) },
    ],
    [
      'a partner that stays at its cap is no news',
      { ...idle, claim: fromHere, announced: new Set(['p']) },
      claimed(0, atTheirCap('p')),
      wait,
      { announced: new Set(['p']) },
    ],
    [
      'a claim that only answers an announcement tells nobody',
      { ...idle, claim: everybody },
      claimed(0, atTheirCap('p')),
      wait,
      { announced: new Set() },
    ],
    [
      'a partner below its cap again is forgotten',
      { ...idle, claim: everybody, announced: new Set(['p']) },
      claimed(1, NOTHING),
      wait,
      { announced: new Set() },
    ],
    [
      'a claim among some remembers what others have left',
      { ...idle, claim: { among: ['p'], mayAnnounce: true }, left: atTheirCap('p', 'q'), announced: new Set(['p', 'q']) },
      claimed(1, NOTHING),
      wait,
      { left: atTheirCap('q'), announced: new Set(['q']) },
    ],
    [
      'an attempt that ended during the claim made room for what it left',
      { ...idle, inFlight: 4, claim: everybody, ended: new Set(['p']) },
      claimed(0, atTheirCap('p')),
      wait,
      { isWoken: true, mayAnnounce: true },
    ],
    [
      'an attempt of another partner did not',
      { ...idle, claim: everybody, ended: new Set(['q']) },
      claimed(0, atTheirCap('p')),
      wait,
      { isWoken: false },
    ],
    [
      'a failed claim is over; it is tried again at the next poll',
      { ...idle, claim: everybody },
      { kind: 'claim-failed' },
      wait,
      { claim: undefined, isWoken: false },
    ],
    ['an attempt ends and nothing was left', { ...idle, inFlight: 2 }, ended('p'), wait, { inFlight: 1, isWoken: false }],
    [
      'an attempt ends and something was left for want of room',
      { ...full, left: NO_ROOM },
      ended('p'),
      wait,
      { isWoken: true, mayAnnounce: true },
    ],
    ['an attempt of a partner at its cap ends', { ...full, left: atTheirCap('p') }, ended('p'), wait, { isWoken: true }],
    ['an attempt of another partner ends', { ...full, left: atTheirCap('p') }, ended('q'), wait, { isWoken: false }],
    ['a stop', { ...idle, inFlight: 2 }, { kind: 'stopped' }, wait, { isStopping: true, inFlight: 2 }],
    [
      'a claim that is due at a stop takes nothing',
      { ...idle, isStopping: true, mayAnnounce: true },
      CLAIM_DUE,
      announce,
      { claim: undefined },
    ],
  ])('%s', (_what, state, event, step, change) => {
    expect(decideStep(state, event)).toEqual({ state: expect.objectContaining(change), step });
  });
});

const CAP = 3;
const FREE = 4;
const PARTNERS = ['p', 'q', 'r'] as const;

type ClaimStep = Extract<Step, { kind: 'claim' }>;
type Found = { readonly taken: readonly string[]; readonly left: State['left'] };
type Replica = {
  state: State;
  /** The partners of its running attempts. */
  attempts: readonly string[];
  /** A claim that has not read the database yet, and then its result, until the replica receives it. */
  claim: ClaimStep | undefined;
  found: Found | undefined;
};

/**
 * Replicas over one database, as far as a decision sees it: how much each partner has due, and how many of its attempts
 * are running. Nobody polls: a replica acts only because it was decided so.
 */
class World {
  readonly replicas: readonly Replica[];
  readonly due = new Map<string, number>();

  constructor(replicas: number) {
    // All but a few slots are permanently taken, so that a test can fill the rest.
    const state = { ...idle, inFlight: IN_FLIGHT_MAX - FREE };
    this.replicas = Array.from({ length: replicas }, () => ({
      state,
      attempts: [],
      claim: undefined,
      found: undefined,
    }));
  }

  readonly dueOf = (partnerId: string): number => this.due.get(partnerId) ?? 0;

  #leasesOf(partnerId: string): number {
    const leased = this.replicas.flatMap(({ attempts, found }) => [...attempts, ...(found?.taken ?? [])]);
    return leased.filter((other) => other === partnerId).length;
  }

  tell(replica: Replica, event: DeliveryEvent): Step {
    const { state, step } = decideStep(replica.state, event);
    replica.state = state;
    const free = FREE - replica.attempts.length;
    if (state.inFlight !== IN_FLIGHT_MAX - free) throw new Error('it lost count of its attempts');
    if (free < 0 || (step.kind === 'claim' && step.room > free)) throw new Error('it claims above its free slots');
    if (step.kind === 'claim') replica.claim = step;
    if (step.kind === 'announce') for (const other of this.replicas) if (other !== replica) this.tell(other, woken('another-replica'));
    return step;
  }

  /** What may happen next: an attempt ends, or a claim begins, reads the database, or returns. */
  possible(): (() => void)[] {
    return this.replicas.flatMap((replica) => {
      const { attempts, state } = replica;
      const ends = attempts.map((partnerId, place) => () => {
        replica.attempts = attempts.filter((_other, index) => index !== place);
        this.tell(replica, ended(partnerId));
      });
      const isClaiming = state.claim !== undefined;
      if (isClaiming)
        return [
          ...ends,
          () => {
            this.goOnClaiming(replica);
          },
        ];
      return state.isWoken ? [...ends, () => this.tell(replica, CLAIM_DUE)] : ends;
    });
  }

  goOnClaiming(replica: Replica): void {
    const { claim: step, found } = replica;
    if (step !== undefined) {
      replica.claim = undefined;
      replica.found = this.#look(step);
    } else if (found !== undefined) {
      replica.found = undefined;
      replica.attempts = [...replica.attempts, ...found.taken];
      this.tell(replica, claimed(found.taken.length, found.left));
    }
  }

  #look({ room, among }: ClaimStep): Found {
    const taken: string[] = [];
    const partnersAtTheirCap: string[] = [];
    let forWantOfRoom = false;
    for (const partnerId of among === 'everybody' ? PARTNERS : among) {
      const underCap = Math.max(0, Math.min(this.dueOf(partnerId), CAP - this.#leasesOf(partnerId)));
      const fits = Math.min(underCap, room - taken.length);
      if (fits < underCap) forWantOfRoom = true;
      else if (underCap < this.dueOf(partnerId)) partnersAtTheirCap.push(partnerId);
      taken.push(...Array.from({ length: fits }, () => partnerId));
      this.due.set(partnerId, this.dueOf(partnerId) - fits);
    }
    return { taken, left: { forWantOfRoom, partnersAtTheirCap } };
  }

  /** A new event reaches a replica, when its claims allow. */
  store(replica: Replica, partnerId: string): void {
    while (replica.state.claim !== undefined) this.goOnClaiming(replica);
    const step = this.tell(replica, newEvents(partnerId));
    this.due.set(partnerId, this.dueOf(partnerId) + 1);
    if (step.kind !== 'claim') this.tell(replica, woken('this-replica'));
  }
}

describe('whatever happens in whatever order', () => {
  const script = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('store' as const), replica: fc.nat(2), partnerId: fc.constantFrom(...PARTNERS) }),
      fc.record({ kind: fc.constant('go-on' as const), choice: fc.nat() }),
    ),
    { maxLength: 120 },
  );

  it('everything due is claimed without a poll, never above the free slots, and all replicas come to rest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), script, fc.infiniteStream(fc.nat()), (replicas, moves, choices) => {
        const world = new World(replicas);
        const goOn = (choice: number): boolean => {
          const possible = world.possible();
          possible[choice % possible.length]?.();
          return possible.length > 0;
        };
        for (const move of moves) {
          const replica = move.kind === 'store' ? world.replicas[move.replica % replicas] : undefined;
          if (move.kind === 'store' && replica !== undefined) world.store(replica, move.partnerId);
          else if (move.kind === 'go-on') goOn(move.choice);
        }
        let steps = 0;
        for (const choice of choices) {
          if (!goOn(choice)) break;
          steps += 1;
          if (steps > 5_000) throw new Error('the replicas keep each other awake');
        }
        expect(PARTNERS.map(world.dueOf)).toEqual([0, 0, 0]);
      }),
    );
  });

  it('a wake is kept until a claim among everybody begins', () => {
    const event = fc.oneof(
      fc.constantFrom<DeliveryEvent>(
        woken('this-replica'),
        woken('another-replica'),
        newEvents('p'),
        { kind: 'claim-failed' },
        claimed(0, NOTHING),
        claimed(2, NO_ROOM),
        ended('p'),
      ),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let state = decideStep({ ...idle, inFlight: 100 }, woken('another-replica')).state;
        for (const next of events) {
          const isLegal =
            next.kind === 'claimed' || next.kind === 'claim-failed'
              ? state.claim !== undefined
              : next.kind !== 'new-events' || state.claim === undefined;
          if (isLegal) ({ state } = decideStep(state, next));
          expect(state.isWoken).toBe(true);
        }
        if (state.claim !== undefined) ({ state } = decideStep(state, claimed(0, NOTHING)));
        expect(decideStep(state, CLAIM_DUE).step.kind).not.toBe('wait');
      }),
    );
  });

  it('after a stop nothing is claimed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(CLAIM_DUE, newEvents('p'), ended('p'), woken('this-replica'))), (events) => {
        let { state } = decideStep({ ...idle, inFlight: 200 }, { kind: 'stopped' });
        for (const next of events) {
          const decided = decideStep(state, next);
          expect(decided.step.kind).not.toBe('claim');
          ({ state } = decided);
        }
      }),
    );
  });
});
