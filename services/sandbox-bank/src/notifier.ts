import { createPause, type Pause } from '@pay/shared/time/pause.ts';

/**
 * How notifications are sent. send: at once. hold: not yet. duplicate: twice each. In memory, like faults: what a test
 * run forces must not outlive the process.
 */
export const NOTIFICATION_MODES = ['send', 'hold', 'duplicate'] as const;
export type NotificationMode = (typeof NOTIFICATION_MODES)[number];

/** How long what requests change is gathered before the merchant is notified, and the shortest pause between looks. */
export const LOOK_WITHIN_MS = 300;

/** Where and how the merchant is notified. */
export type Notifier = {
  readonly url: string;
  /** Signs the body: lowercase hex HMAC-SHA256 in `X-Bank-Signature`. */
  readonly key: Buffer;
  mode: NotificationMode;
  /** Notifications answered with 200 since the process began. */
  sent: number;
  /** Between two looks for something to notify of. */
  readonly pause: Pause;
  /** Ends that pause soon: a request may have changed something, or moved the clock. */
  readonly lookSoon: () => void;
};

export function createNotifier(url: string, key: Buffer): Notifier {
  const pause = createPause();
  let timer: NodeJS.Timeout | undefined;
  return {
    url,
    key,
    mode: 'send',
    sent: 0,
    pause,
    lookSoon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        pause.wake();
      }, LOOK_WITHIN_MS).unref();
    },
  };
}
