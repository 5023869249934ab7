import type { WithdrawalStatus } from '../types.ts';

/** What people do about a request. */
export type Act = 'take' | 'approve' | 'reject' | 'cancel' | 'complete' | 'fail';

/** What may be done in a state, in the order of its buttons. The service decides. */
export const ACTS: Readonly<Record<WithdrawalStatus, readonly Act[]>> = {
  REQUESTED: ['take', 'reject', 'cancel'],
  IN_REVIEW: ['take', 'approve', 'reject'],
  APPROVED: ['complete', 'fail'],
  COMPLETED: [],
  REJECTED: [],
  CANCELLED: [],
  FAILED: [],
};

/** What the buttons and dialogs say. */
export const TEXTS: Readonly<
  Record<Act, { readonly button: string; readonly title: string; readonly explains: string }>
> = {
  take: {
    button: 'Take',
    title: 'Take this request',
    explains: 'It is yours for 30 minutes: nobody else can decide on it meanwhile.',
  },
  approve: {
    button: 'Approve',
    title: 'Approve this request',
    explains: 'You say that it may be paid. Another person makes the transfer and confirms it.',
  },
  reject: {
    button: 'Reject',
    title: 'Reject this request',
    explains: 'The reserved amount becomes available again. This is final.',
  },
  cancel: {
    button: 'Cancel for the partner',
    title: 'Cancel this request',
    explains: 'Because the partner asked for it. The reserved amount becomes available again. This is final.',
  },
  complete: {
    button: 'Transferred',
    title: 'Confirm the transfer',
    explains:
      'You made the transfer, by hand and outside of this console. One transfer pays one request. This is final.',
  },
  fail: {
    button: 'Failed',
    title: 'The transfer failed',
    explains:
      'Nothing was transferred, as you, who did not approve it, have seen. The reserved amount becomes available again. This is final.',
  },
};
