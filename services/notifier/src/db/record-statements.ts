import { sql } from 'drizzle-orm';
import { compiledRaw } from '@pay/shared/postgres/fast/compiled.ts';
import { FAILING_AFTER } from './claim-statement.ts';

/** A receiver that answered late gets few concurrent attempts for this long. */
const SLOW_LANE_SECONDS = 60;
/** A receiver that keeps failing is not called for this long after each failure: its attempts would cost the others. */
const FAILING_PAUSE_MS = 250;
/** An address is dead after this long and `FAILING_AFTER` failures in a row. See spec/decisions#dead-address. */
const DEAD_AFTER_MINUTES = 10;

/** How one partner's receiver behaved in a batch of attempts, as a row of the statement. */
export type Behaviour = {
  readonly partner_id: string;
  readonly living: boolean;
  readonly failures: number;
  readonly slow: boolean;
  readonly refused_event: string | null;
  readonly exhausted_event: string | null;
  readonly delivered: boolean;
  /** Bytes of responses that are to be stored. */
  readonly answer_bytes: number;
};

/**
 * The most that is stored of a partner's responses in a day (UTC): ten thousand that differ. Beyond it an attempt has its
 * status alone. See spec/decisions#event-log-and-replay.
 */
export const ANSWER_BYTES_A_DAY = 10 * 1024 * 1024;
const TODAY = sql`date_trunc('day', clock_now(), 'UTC')`;

/**
 * Takes the locks first, all in one order: a new event of these aggregates is either visible to the statements that
 * follow or waits for them. Here and below, `any(array(…))` makes PostgreSQL find each row by its key; a join might be
 * planned to read the whole table.
 */
export const lockAggregates = compiledRaw(['rows'], ({ rows }) => {
  return sql`
    select 1 from aggregates a
    where a.aggregate_id = any(array(select aggregate_id from jsonb_to_recordset(${rows}::jsonb) as r (aggregate_id uuid)))
    order by a.aggregate_id for update`;
});

/**
 * Inserts the attempts, and updates each event whose lease is still ours. One that was asked for again under this lease
 * is due at once, as if that had been requested after the recording.
 */
export const writeAttempts = compiledRaw(['rows'], ({ rows }) => {
  return sql`
    with moment as materialized (
      select clock_now() as now
    ), r as materialized (
      select * from jsonb_to_recordset(${rows}::jsonb) as r (event_id uuid, aggregate_id uuid, lease_id uuid, partner_id text,
        number int, url text, key_ids text, started_at timestamptz, duration_ms int, http_status smallint, failure text,
        outcome text, status text, excerpt text, last_answer text, wait_ms bigint, resent_by text)
    ), made as (
      insert into attempts (event_id, partner_id, number, url, key_ids, started_at, duration_ms, status, failure, outcome,
        excerpt, next_attempt_at, resent_by)
      select event_id, partner_id, number, url, key_ids, started_at, duration_ms, http_status, failure, outcome,
        case when excerpt = '' or excerpt is not null and not exists (select from receivers v where v.partner_id = r.partner_id
          and v.answers_day = ${TODAY} and v.answer_bytes >= ${ANSWER_BYTES_A_DAY}::int) then decode(excerpt, 'base64') end,
        (select now from moment) + wait_ms * interval '1 millisecond', resent_by
      from r
    )
    update events e set
      status = case when e.resend_lease = r.lease_id then 'WAITING' else r.status end,
      last_answer = decode(r.last_answer, 'base64'),
      attempt_count = case when e.resend_lease = r.lease_id and r.status <> 'WAITING' then 0 else r.number end,
      next_attempt_at = (select now from moment)
        + case when e.resend_lease = r.lease_id then interval '0' else r.wait_ms * interval '1 millisecond' end,
      ended_at = case when e.resend_lease = r.lease_id or r.status = 'WAITING' then null else (select now from moment) end
    from r join aggregates a on a.aggregate_id = r.aggregate_id and a.lease_id = r.lease_id
    where e.event_id = r.event_id and e.event_id = any(array(select event_id from r))
      and a.aggregate_id = any(array(select aggregate_id from r))`;
});

/**
 * Ends the leases. An aggregate is due when its next event is; without one it is not due. Returns those already due.
 */
export const releaseAggregates = compiledRaw(['rows'], ({ rows }) => {
  const nextVersion = sql`case when r.status = 'WAITING' then a.next_version else greatest(a.next_version, r.version + 1) end`;
  return sql`
    with moment as materialized (
      select clock_now() as now
    ), r as materialized (
      select * from jsonb_to_recordset(${rows}::jsonb) as r (aggregate_id uuid, lease_id uuid, version int, status text)
    )
    update aggregates a set
      lease_id = null,
      lease_holder = null,
      leased_until = null,
      (next_version, due_at) = (
        select turn, due_by(a.aggregate_id, turn) from (select turn_from(a.aggregate_id, ${nextVersion}, null) as turn) as t)
    from r where a.aggregate_id = r.aggregate_id and a.lease_id = r.lease_id
      and a.aggregate_id = any(array(select aggregate_id from r))
    returning coalesce(a.due_at <= (select now from moment), false) as is_due`;
});

/**
 * What the statement does, in the order of its parts:
 * 1. `seen`: how each receiver behaved in these attempts.
 * 2. `held`: locks the receivers for which that changes something. A healthy one that stays healthy costs no write.
 * 3. `changed`: counts failures in a row, which determine the pause and the dead address; notes slowness, refusals, and how
 * much of the day's bytes of responses is used.
 * 4. `news`: what a person should know: a first refusal, an exhausted event, a dead address.
 * Then it inserts the news as alerts and returns them.
 */
export const updateReceivers = compiledRaw(['behaviour'], ({ behaviour }) => {
  return sql`
    with seen as (
      select * from jsonb_to_recordset(${behaviour}::jsonb) as s (partner_id text, living boolean, failures int,
        slow boolean, refused_event uuid, exhausted_event uuid, delivered boolean, answer_bytes int)
    ), held as materialized (
      select r.partner_id, r.dead_since, r.refusing_since from receivers r join seen s on s.partner_id = r.partner_id
      where r.partner_id = any(array(select partner_id from seen))
        and (not (s.living and s.failures = 0) or s.slow or s.refused_event is not null or s.exhausted_event is not null
          or s.answer_bytes > 0
          or r.failures_in_a_row > 0 or r.dead_since is not null or r.refusing_since is not null)
      order by r.partner_id for update of r
    ), changed as (
      update receivers r set
        failures_in_a_row = case when s.living then s.failures else r.failures_in_a_row + s.failures end,
        failing_since = case when s.failures = 0 then case when s.living then null else r.failing_since end
          when s.living then clock_now() else coalesce(r.failing_since, clock_now()) end,
        dead_since = case
          when s.living then null
          when r.dead_since is not null then r.dead_since
          when r.failures_in_a_row + s.failures >= ${FAILING_AFTER}
            and r.failing_since <= clock_now() - make_interval(mins => ${DEAD_AFTER_MINUTES}) then clock_now()
        end,
        paused_until = case when not s.living and r.failures_in_a_row + s.failures >= ${FAILING_AFTER}
          then clock_now() + make_interval(secs => ${FAILING_PAUSE_MS / 1_000}) end,
        slow_until = case when s.slow then clock_now() + make_interval(secs => ${SLOW_LANE_SECONDS}) else r.slow_until end,
        refusing_since = case
          when s.refused_event is not null then coalesce(r.refusing_since, clock_now())
          when s.delivered then null else r.refusing_since end,
        answers_day = case when s.answer_bytes > 0 then ${TODAY} else r.answers_day end,
        answer_bytes = case when s.answer_bytes > 0
          then least(${ANSWER_BYTES_A_DAY}::int, s.answer_bytes + case when r.answers_day = ${TODAY} then r.answer_bytes else 0 end)
          else r.answer_bytes end
      from seen s join held h on h.partner_id = s.partner_id
      where r.partner_id = s.partner_id and r.partner_id = any(array(select partner_id from held))
      returning r.partner_id, s.refused_event, s.exhausted_event,
        h.refusing_since is null and s.refused_event is not null as first_refusal,
        h.dead_since is null and r.dead_since is not null as died
    ), news as (
      select partner_id, 'FIRST_REFUSAL' as kind, refused_event as event_id from changed where first_refusal
      union all select partner_id, 'EXHAUSTED', exhausted_event from changed where exhausted_event is not null
      union all select partner_id, 'DEAD_ADDRESS', null from changed where died
    )
    insert into alerts (partner_id, kind, event_id) select partner_id, kind, event_id from news
    returning partner_id, kind`;
});
