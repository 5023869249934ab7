import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type OpenMetricsContentType } from 'prom-client';
import { HAS_EXEMPLARS, tracedHistogram } from './traced-histogram.ts';

/**
 * The metrics of this process, served at `/metrics` on the private port. Labels are bounded: never an id, never a person. Where traces are
 * recorded, the format is OpenMetrics, which has exemplars.
 */
export const registry: Registry | Registry<OpenMetricsContentType> = HAS_EXEMPLARS ? openMetricsRegistry() : new Registry();

function openMetricsRegistry() {
  const made = new Registry<OpenMetricsContentType>();
  made.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return made;
}
/** The event loop's lag is sampled with a timer: every 10 ms, as by default, it costs an idle process most of its time. */
const LAG_SAMPLED_EVERY_MS = 250;
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS });

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const httpRequests = new Counter({
  name: 'http_requests_total',
  help: 'Requests answered, by route pattern, method and status.',
  labelNames: ['listener', 'method', 'route', 'status'],
  registers: [registry],
});

export const httpDuration = tracedHistogram({
  name: 'http_request_duration_seconds',
  help: 'From the request line to the last byte of the answer.',
  labelNames: ['listener', 'method', 'route'],
  buckets: SECONDS,
  registers: [registry],
});

export const logLinesDropped = new Counter({
  name: 'log_lines_dropped_total',
  help: 'Lines of the log that were not written: its disk was full, or nobody read it.',
  registers: [registry],
});

export const outboxPending = new Gauge({
  name: 'outbox_pending',
  help: 'Messages that wait to be published, as every replica sees them.',
  registers: [registry],
});

export const outboxOldest = new Gauge({
  name: 'outbox_oldest_seconds',
  help: 'Age of the oldest message that waits to be published.',
  registers: [registry],
});

export const outboxBatchDuration = new Histogram({
  name: 'outbox_batch_seconds',
  help: 'From sending a batch of facts to the broker to its last confirm, by result (done, failed).',
  labelNames: ['result'],
  buckets: SECONDS,
  registers: [registry],
});

export const topologyComplete = new Gauge({
  name: 'broker_topology_complete',
  help: '1 while this process is connected to the broker and finds there all that its part (consumer, relay) needs, otherwise 0.',
  labelNames: ['part'],
  registers: [registry],
});

export const factsMissing = new Gauge({
  name: 'facts_missing',
  help: 'Facts that their owners published and this service never received, by the last comparison. More than 0 for an hour needs a person.',
  registers: [registry],
});

export const factsComparedAt = new Gauge({
  name: 'facts_compared_timestamp_seconds',
  help: 'When this process last compared what others published with what it received, since 1970; 0 before the first time.',
  registers: [registry],
});

export const factsAskedAgain = new Counter({
  name: 'facts_asked_again_total',
  help: 'Facts that their owners published again because this process asked for them.',
  registers: [registry],
});

export const messagesRefused = new Counter({
  name: 'messages_refused_total',
  help: 'Messages that were put aside unread: not signed by the owner of their type. Anything but 0 is an incident.',
  registers: [registry],
});

export const messagesConsumed = new Counter({
  name: 'messages_consumed_total',
  help: 'Messages handled, by type and result (done, failed).',
  labelNames: ['type', 'result'],
  registers: [registry],
});

export const messageDuration = tracedHistogram({
  name: 'message_seconds',
  help: 'From receiving a message to the end of its handling, by type.',
  labelNames: ['type'],
  buckets: SECONDS,
  registers: [registry],
});

export const deadLettersWaiting = new Gauge({
  name: 'dead_letters_waiting',
  help: 'Messages of this service that could not be handled and wait for a person, as every replica sees them.',
  registers: [registry],
});

export const loopRounds = new Counter({
  name: 'loop_rounds_total',
  help: 'Rounds of background work, by loop and result (done, failed).',
  labelNames: ['loop', 'result'],
  registers: [registry],
});

/** Loops of this process with a round under way, and when it began (`performance.now()`); NaN between rounds. */
export const roundsBegun = new Map<string, number>();

export const loopRoundSeconds = new Gauge({
  name: 'loop_round_seconds',
  help: 'How long the round of background work that is under way has taken so far, by loop; 0 between rounds.',
  labelNames: ['loop'],
  registers: [registry],
  collect() {
    for (const [loop, begun] of roundsBegun) this.set({ loop }, Number.isNaN(begun) ? 0 : (performance.now() - begun) / 1_000);
  },
});

export const partitionsEnd = new Gauge({
  name: 'partitions_end_timestamp_seconds',
  help: 'When the newest partition of a table ends, since 1970, by table, as this process last saw it.',
  labelNames: ['table'],
  registers: [registry],
});

export const databaseConnections = new Gauge({
  name: 'database_connections',
  help: 'Connections of this process by pool and state: used, idle, and waiting for calls that have none yet.',
  labelNames: ['pool', 'state'],
  registers: [registry],
});

export const databaseClockAhead = new Gauge({
  name: 'database_clock_ahead_seconds',
  help: "The database's clock minus this machine's, when `/readyz` last asked; TEST's movable clock is not in it.",
  registers: [registry],
});

export const databaseDuration = new Histogram({
  name: 'database_hold_seconds',
  help: 'How long a transaction or statement held its connection, by pool and result (done, broken).',
  labelNames: ['pool', 'result'],
  buckets: SECONDS,
  registers: [registry],
});

export const circuitState = new Gauge({
  name: 'circuit_state',
  help: '0 closed, 1 half open, 2 open.',
  labelNames: ['circuit'],
  registers: [registry],
});

export const outgoingCallDuration = tracedHistogram({
  name: 'upstream_call_seconds',
  help: 'Calls to another system, by target, operation and result.',
  labelNames: ['target', 'operation', 'result'],
  buckets: SECONDS,
  registers: [registry],
});
