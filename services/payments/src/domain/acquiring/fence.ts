/** The lease under which a process moves money, as a connector sees it. */
export type Fence = {
  /**
   * How long a call that begins now may take, in milliseconds; 0 when the lease is lost, and nothing may be sent. Asked of
   * the database each time. @throws Error when it does not answer: then nothing may be sent either
   */
  leftMs(): Promise<number>;
};
