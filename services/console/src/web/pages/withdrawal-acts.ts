import type { WithdrawalAction } from '@pay/contract/operator/states.ts';

/** The texts of buttons and dialogs. */
export const TEXTS: Readonly<
  Record<WithdrawalAction, { readonly button: string; readonly title: string; readonly explains: string }>
> = {
  take: {
    button: 'Claim',
    title: 'Claim this request',
    explains: 'It’s reserved for you for 30 minutes. Nobody else can decide on it.',
  },
  approve: {
    button: 'Approve',
    title: 'Approve this request',
    explains: 'Approves the payout. A colleague makes the transfer and confirms it.',
  },
  reject: {
    button: 'Reject',
    title: 'Reject this request',
    explains: 'The reserved amount becomes available to the partner again. This can’t be undone.',
  },
  cancel: {
    button: 'Cancel (partner’s request)',
    title: 'Cancel this request',
    explains:
      'Use this when the partner asked to cancel. The reserved amount becomes available to the partner again. This can’t be undone.',
  },
  complete: {
    button: 'Confirm transfer',
    title: 'Confirm the transfer',
    explains:
      'Confirm only after you have sent the money outside this console. Use one transfer per request. The partner is told that they were paid. This can’t be undone.',
  },
  fail: {
    button: 'Mark as failed',
    title: 'Mark the transfer as failed',
    explains:
      'Use this when nothing was transferred. You must not be the person who approved it. The reserved amount becomes available to the partner again. This can’t be undone.',
  },
};
