import { Counter, Gauge, Histogram } from 'prom-client';
import { ALERT_KINDS } from '@pay/contract/operator/states.ts';
import { ATTEMPT_OUTCOMES } from '@pay/contract/states.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import { tracedHistogram } from '@pay/shared/telemetry/traced-histogram.ts';

export const deliveryAttempts = new Counter({
  name: 'callback_attempts_total',
  help: 'Callback attempts, by outcome.',
  labelNames: ['outcome'],
  registers: [registry],
});

// A rise is seen only from a first value.
for (const outcome of ATTEMPT_OUTCOMES) deliveryAttempts.inc({ outcome }, 0);

export const deliverySeconds = tracedHistogram({
  name: 'callback_attempt_seconds',
  help: 'From the start of an attempt to its response.',
  labelNames: [],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

export const callbackLag = new Histogram({
  name: 'callback_lag_seconds',
  help: 'How late an attempt began: from the moment at which it was due to its claim by this replica. Without receivers that were slow, failing or dead at the claim.',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  registers: [registry],
});

export const callbacksDue = new Gauge({
  name: 'callbacks_due',
  help: 'Payments and bindings with something due that a replica could send now and has not taken, as every replica sees them; at most 10000.',
  registers: [registry],
});

export const callbacksWaiting = new Gauge({
  name: 'callbacks_waiting',
  help: 'Events left to send, as every replica sees them; at most 10000.',
  registers: [registry],
});

export const callbacksOldest = new Gauge({
  name: 'callbacks_oldest_seconds',
  help: 'Age of the oldest event that waits to be sent, be it because its receiver does not answer; 0 if there is none.',
  registers: [registry],
});

export const alertsRaised = new Counter({
  name: 'callback_alerts_total',
  help: 'Alerts about receivers that a person should look at, by kind.',
  labelNames: ['kind'],
  registers: [registry],
});
// A rise is seen only from a first value.
for (const kind of ALERT_KINDS) alertsRaised.inc({ kind }, 0);

export const behindGap = new Gauge({
  name: 'aggregates_behind_gap',
  help: 'Payments and bindings whose events wait for a version that did not arrive within 60 s, as seen by every replica; at most 1000.',
  registers: [registry],
});

export const behindGapOldest = new Gauge({
  name: 'aggregates_behind_gap_oldest_seconds',
  help: 'How long the oldest of them has waited; 0 if there is none.',
  registers: [registry],
});
