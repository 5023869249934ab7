type Unanswered = {
  /** The time for it was over. */
  readonly isLate: boolean;
  /** Bytes of the request may have left: nobody here knows what became of it. */
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
