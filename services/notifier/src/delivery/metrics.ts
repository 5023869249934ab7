import { Counter, Gauge, Histogram } from 'prom-client';
import { registry } from '@pay/shared/telemetry/metrics.ts';

export const deliveryAttempts = new Counter({
  name: 'callback_attempts_total',
  help: 'Callback attempts, by outcome.',
  labelNames: ['outcome'],
  registers: [registry],
});

export const deliverySeconds = new Histogram({
  name: 'callback_attempt_seconds',
  help: 'From the start of an attempt to its response.',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

export const alertsRaised = new Counter({
  name: 'callback_alerts_total',
  help: 'Alerts about receivers that a person should look at, by kind.',
  labelNames: ['kind'],
  registers: [registry],
});

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
