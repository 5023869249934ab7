import type { Among } from '../db/claim-statement.ts';
import type { Left } from '../db/claims.ts';

/** Maximum concurrent attempts of one replica. */
export const IN_FLIGHT_MAX = 256;

/** What a replica knows about its own delivery. Everything else is in the database. */
export type State = {
  /** Attempts in flight. */
  readonly inFlight: number;
  readonly isStopping: boolean;
  /** A claim for all partners is wanted and has not begun yet. */
  readonly isWoken: boolean;
  /** Something happened here since the last claim. A claim that only follows an announcement is not announced back. */
  readonly mayAnnounce: boolean;
  /** The current claim. One at a time, so that what it left stays valid until an attempt ends. */
  readonly claim: RunningClaim | undefined;
  /** What the last claim left. */
  readonly left: Left;
  /** Partners at their cap that were announced to other replicas: whoever runs their attempts claims when one ends. */
  readonly announced: ReadonlySet<string>;
  /** Partners with an attempt that ended after the last claim began, which may not have seen it. */
  readonly ended: ReadonlySet<string>;
};

type RunningClaim = { readonly among: Among; readonly mayAnnounce: boolean };

export type DeliveryEvent =
  /** There may be something to deliver: something happened here, or another replica announced it. */
  | { readonly kind: 'woken'; readonly by: 'this-replica' | 'another-replica' }
  /** No claim is running, and it is time for one for all partners. */
  | { readonly kind: 'claim-due' }
  /** No claim is running, and new events of these partners are about to be stored: a claim may go with them. */
  | { readonly kind: 'new-events'; readonly partnerIds: readonly string[] }
  | { readonly kind: 'claimed'; readonly count: number; readonly left: Left }
  | { readonly kind: 'claim-failed' }
  /** An attempt was recorded or given back: its partner has room for another. */
  | { readonly kind: 'attempt-ended'; readonly partnerId: string }
  | { readonly kind: 'stopped' };

/** What the replica does next. After an announcement, too, it waits for the next event. */
export type Step =
  | { readonly kind: 'wait' }
  /** Claim up to `room` events now. */
  | { readonly kind: 'claim'; readonly room: number; readonly among: Among }
  /** Announce to the other replicas that something due was left. */
  | { readonly kind: 'announce' };

export type Decided = { readonly state: State; readonly step: Step };

const NOTHING_LEFT: Left = { forWantOfRoom: false, partnersAtTheirCap: [] };

/** Starts woken: what became due while no replica was running is due now. */
export const INITIAL: State = {
  inFlight: 0,
  isStopping: false,
  isWoken: true,
  mayAnnounce: false,
  claim: undefined,
  left: NOTHING_LEFT,
  announced: new Set(),
  ended: new Set(),
};

/**
 * Decides what follows an event (decisions/callback-delivery). Three rules: a wake is kept until a claim for all
 * partners begins; no more is claimed than there are free slots; what a claim left is announced once, and claimed again
 * as soon as an attempt ends that makes room for it (decisions/callback-delivery).
 */
export function decideStep(state: State, event: DeliveryEvent): Decided {
  switch (event.kind) {
    case 'woken':
      return waiting(woken(state, event.by === 'this-replica'));
    case 'claim-due':
      return claimAmongEverybody(state);
    case 'new-events':
      return claimBehind(state, event.partnerIds);
    case 'claimed':
      return afterClaim({ ...state, inFlight: state.inFlight + event.count }, event.left);
    case 'claim-failed':
      return waiting({ ...state, claim: undefined });
    case 'attempt-ended': {
      const ended = new Set(state.ended).add(event.partnerId);
      return waiting(wokenByRoom({ ...state, inFlight: state.inFlight - 1, ended }));
    }
    case 'stopped':
      return waiting({ ...state, isStopping: true });
  }
}

const waiting = (state: State): Decided => ({ state, step: { kind: 'wait' } });

const woken = (state: State, mayAnnounce: boolean): State => ({
  ...state,
  isWoken: true,
  mayAnnounce: state.mayAnnounce || mayAnnounce,
});

/** Whether the end of an attempt makes room for something, or lets the replica stop. */
export const isRoomAwaited = ({ isStopping, left }: State): boolean =>
  isStopping || left.forWantOfRoom || left.partnersAtTheirCap.length > 0;

/** Free slots; none while stopping. */
const roomOf = (state: State): number => (state.isStopping ? 0 : IN_FLIGHT_MAX - state.inFlight);

function claimAmongEverybody(state: State): Decided {
  const room = roomOf(state);
  const begun = begin({ ...state, isWoken: false }, 'everybody', state.mayAnnounce);
  if (room > 0) return { state: begun, step: { kind: 'claim', room, among: 'everybody' } };
  // Nothing was read: whatever is due is left for want of room.
  return afterClaim(begun, { ...state.left, forWantOfRoom: true });
}

/**
 * Claims for the partners of the new events only (decisions/callback-delivery), unless room is scarce: then it may be
 * somebody else who is next.
 */
function claimBehind(state: State, partnerIds: readonly string[]): Decided {
  const room = roomOf(state);
  if (room === 0) return waiting(state);
  const among = state.left.forWantOfRoom ? 'everybody' : [...new Set(partnerIds)];
  return { state: begin(state, among, true), step: { kind: 'claim', room, among } };
}

function begin(state: State, among: Among, mayAnnounce: boolean): State {
  return { ...state, claim: { among, mayAnnounce }, mayAnnounce: false, ended: new Set() };
}

function afterClaim(state: State, seen: Left): Decided {
  const { claim, announced } = state;
  if (claim === undefined) throw new Error('a claim ended that never began');
  const left = claim.among === 'everybody' ? seen : withUnseen(seen, state.left, claim.among);
  const { mayAnnounce } = claim;
  const isNews = left.forWantOfRoom || left.partnersAtTheirCap.some((partnerId) => !announced.has(partnerId));
  const next = wokenByRoom({
    ...state,
    claim: undefined,
    left,
    announced: new Set(left.partnersAtTheirCap.filter((partnerId) => mayAnnounce || announced.has(partnerId))),
  });
  return { state: next, step: { kind: mayAnnounce && isNews ? 'announce' : 'wait' } };
}

/** What a claim for some partners left; for the others, what was left before. */
function withUnseen(seen: Left, before: Left, among: readonly string[]): Left {
  const unseen = before.partnersAtTheirCap.filter((partnerId) => !among.includes(partnerId));
  return { ...seen, partnersAtTheirCap: [...unseen, ...seen.partnersAtTheirCap] };
}

/** Claims again once an attempt has ended that makes room for what was left. */
function wokenByRoom(state: State): State {
  const { left, ended } = state;
  const madeRoom = left.forWantOfRoom && ended.size > 0;
  return madeRoom || left.partnersAtTheirCap.some((partnerId) => ended.has(partnerId)) ? woken(state, true) : state;
}
