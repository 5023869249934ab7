import type { WithdrawalAction } from '@pay/contract/operator/states.ts';
import type { Withdrawal } from '@pay/contract/operator/withdrawals.ts';
import { t } from '../text.ts';

/** The texts of buttons and dialogs. */
export const TEXTS: Readonly<Record<WithdrawalAction, { readonly button: string; readonly title: string; readonly explains: string }>> = {
  take: {
    button: t('Claim'),
    title: t('Claim this request'),
    explains: t('It’s reserved for you for 30 minutes. Nobody else can decide on it.'),
  },
  approve: {
    button: t('Approve'),
    title: t('Approve this request'),
    explains: t('You approve the payout. A colleague makes the transfer and confirms it.'),
  },
  reject: {
    button: t('Reject'),
    title: t('Reject this request'),
    explains: t('The reserved amount becomes available to the partner again. This can’t be undone.'),
  },
  cancel: {
    button: t('Cancel (partner’s request)'),
    title: t('Cancel this request'),
    explains: t(
      'Use this when the partner asked to cancel. The reserved amount becomes available to the partner again. This can’t be undone.',
    ),
  },
  complete: {
    button: t('Confirm transfer'),
    title: t('Confirm the transfer'),
    explains: t(
      'Confirm only after you have sent the money outside this console. Use one transfer per request. The partner is told that they were paid. This can’t be undone.',
    ),
  },
  fail: {
    button: t('Mark as failed'),
    title: t('Mark the transfer as failed'),
    explains: t(
      'Use this when nothing was transferred. You must not be the person who approved it. The reserved amount becomes available to the partner again. This can’t be undone.',
    ),
  },
};

/** Whoever approved it cannot confirm its transfer. */
export const isOwnApproval = (act: WithdrawalAction, { reviewedBy }: Withdrawal, login: string): boolean =>
  act === 'complete' && reviewedBy === login;

/** Whether the claim of whoever took it is still valid. */
export const isHeld = ({ takenUntil }: Withdrawal, now: number): boolean => takenUntil !== null && Date.parse(takenUntil) > now;
