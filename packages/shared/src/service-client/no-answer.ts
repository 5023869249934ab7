type Unanswered = {
  /** The deadline has passed. */
  readonly isLate: boolean;
  /** Bytes of the request may have been sent: its outcome is unknown here. */
  readonly wasSent: boolean;
};

/** A call that got no answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly isLate: boolean;
  readonly wasSent: boolean;

  constructor({ isLate, wasSent }: Unanswered, cause?: unknown) {
    super(isLate ? 'the service did not answer in time' : 'the service did not answer', { cause });
    this.isLate = isLate;
    this.wasSent = wasSent;
  }
}

/** All places for calls of this kind, or those of the partner, are taken: nothing was sent, and the next call may find one. */
export class PlacesTakenError extends Error {
  override readonly name = 'PlacesTakenError';

  /** @param lane - the service and the kind of call */
  constructor(lane: string) {
    super(`no place is free for another call: ${lane}`);
  }
}
