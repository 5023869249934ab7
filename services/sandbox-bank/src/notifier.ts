/**
 * How notifications are sent. send: at once. hold: not yet. duplicate: twice each. In memory, like faults: what a test
 * run forces must not outlive the process.
 */
export const NOTIFICATION_MODES = ['send', 'hold', 'duplicate'] as const;
export type NotificationMode = (typeof NOTIFICATION_MODES)[number];

/** Where and how the merchant is notified. */
export type Notifier = {
  readonly url: string;
  /** Signs the body: lowercase hex HMAC-SHA256 in `X-Bank-Signature`. */
  readonly key: Buffer;
  mode: NotificationMode;
  /** Notifications answered with 200 since the process began. */
  sent: number;
};
