/**
 * How notifications leave. send: as they come. hold: they wait. duplicate: each is sent twice. In memory, as faults are:
 * what a test run forces must not outlive the process.
 */
export const NOTIFICATION_MODES = ['send', 'hold', 'duplicate'] as const;
export type NotificationMode = (typeof NOTIFICATION_MODES)[number];

/** Where the merchant is told, and how. */
export type Notifier = {
  readonly url: string;
  /** Signs the body: lowercase hex HMAC-SHA256 in `X-Bank-Signature`. */
  readonly key: Buffer;
  mode: NotificationMode;
  /** Told and answered 200, since the process began. */
  sent: number;
};
