/** The lease under which a process moves money, as a connector sees it. */
export type Fence = {
  /**
   * How long a call that begins now may take, in milliseconds; 0 if the lease is lost and nothing may be sent. The database
   * says so, asked now or in this very turn (ADR 0173). @throws Error if it does not answer: then nothing may be sent either
   */
  leftMs(): Promise<number>;
};
