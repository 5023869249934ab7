import { z } from 'zod';
import { HandedOver } from '@pay/shared/facts/hand-over.ts';
import { Count, Ids, IdsAsked, Lacked, Parts, PartsAsked } from '@pay/shared/facts/wire.ts';
import { BuyersBinding, ChargeRefused, ChargeTaken, PortalSession } from './answers.ts';
import { ChargeSavedCard, CheckCharge, WithdrawCharge } from './charges.ts';
import type { FACTS } from './facts.ts';
import * as messages from './messages.ts';
import { PartnerStanding } from './standings.ts';

type Json = z.core.JSONSchema.JSONSchema;

/** The schema of each fact's message. */
const MESSAGES = {
  'integration.endpoints_updated': messages.EndpointsUpdated,
  'store.created': messages.StoreCreated,
  'payment.completed': messages.PaymentCompleted,
  'payment.failed': messages.PaymentFailed,
  'payment.refunded': messages.PaymentRefunded,
  'refund.pending': messages.RefundPending,
  'refund.completed': messages.RefundCompleted,
  'refund.failed': messages.RefundFailed,
  'consent.given': messages.ConsentGiven,
  'binding.created': messages.BindingFact,
  'binding.revoked': messages.BindingFact,
  'binding.expired': messages.BindingFact,
  'withdrawal.requested': messages.WithdrawalFact,
  'withdrawal.in_review': messages.WithdrawalFact,
  'withdrawal.approved': messages.WithdrawalFact,
  'withdrawal.completed': messages.WithdrawalFact,
  'withdrawal.rejected': messages.WithdrawalFact,
  'withdrawal.cancelled': messages.WithdrawalFact,
  'withdrawal.failed': messages.WithdrawalFact,
  'register.ready': messages.RegisterReady,
  'withdrawal-register.ready': messages.WithdrawalRegisterReady,
  'buyer.erased': messages.BuyerErased,
} as const satisfies Record<keyof typeof FACTS, z.ZodType>;

/** The bodies of requests between our services, by path. */
const REQUESTS = {
  '/internal/charges': ChargeSavedCard,
  '/internal/charges/checked': CheckCharge,
  '/internal/charges/withdrawn': WithdrawCharge,
  '/internal/partner-standing': PartnerStanding,
  '/internal/facts/handed-over': HandedOver,
  '/internal/facts/parts': PartsAsked,
  '/internal/facts/ids': IdsAsked,
  '/internal/facts/publish-again': Lacked,
} as const;

/** What the callers read in the answers. Who answers without one of these is asked for its status only. */
const ANSWERS = {
  '/internal/charges answers': ChargeTaken,
  '/internal/charges refuses': ChargeRefused,
  '/internal/charges/checked refuses': ChargeRefused,
  '/internal/charges/withdrawn answers': ChargeTaken,
  '/internal/charges/withdrawn refuses': ChargeRefused,
  '/internal/bindings/:bindingId answers': BuyersBinding,
  '/internal/bindings/:bindingId/revoke answers': BuyersBinding,
  '/internal/facts/parts answers': Parts,
  '/internal/facts/ids answers': Ids,
  '/internal/facts/publish-again answers': Count,
  '/portal/sessions answers': PortalSession,
} as const;

/** What our services write to each other, as JSON Schema: messages by type, bodies of requests by path, and what is read in the answers. */
export function internalSchemas(): Record<string, Json> {
  const entries = Object.entries({ ...MESSAGES, ...REQUESTS, ...ANSWERS });
  return Object.fromEntries(entries.map(([name, schema]) => [name, schemaOf(schema)]));
}

function schemaOf(schema: z.ZodType): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    // A number whose digits are kept as they were written: where it stands is compared.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete jsonSchema.description;
    },
  });
  return json;
}

/**
 * What `next` changes of `before` other than adding: one sentence for each place, by its path. Two versions run at once, and
 * messages of the one are read by the other, so a member may be added if it is optional, and a schema may be added.
 */
export function breakingChanges(before: unknown, next: unknown, path = ''): string[] {
  if (!isRecord(before) || !isRecord(next)) return isEqual(before, next) ? [] : [`${path}: is another`];
  const isObject = isRecord(before['properties']) && isRecord(next['properties']);
  return [...new Set([...Object.keys(before), ...Object.keys(next)])].flatMap((key) => {
    const place = path === '' ? key : `${path}.${key}`;
    if (isObject && key === 'properties') return membersChanged(before[key], next[key], path);
    if (isObject && key === 'required') return requiredChanged(before[key], next[key], path);
    // The list of all schemas.
    if (path === '' && before[key] === undefined) return [];
    return breakingChanges(before[key], next[key], place);
  });
}

function membersChanged(before: unknown, next: unknown, path: string): string[] {
  if (!isRecord(before) || !isRecord(next)) return [];
  return Object.entries(before).flatMap(([name, member]) =>
    name in next ? breakingChanges(member, next[name], `${path}.${name}`) : [`${path}.${name}: is gone`],
  );
}

/** A member that was optional and is required: older messages lack it. One that was required and is optional: older readers need it. */
function requiredChanged(before: unknown, next: unknown, path: string): string[] {
  const [was, is] = [namesIn(before), namesIn(next)];
  return [
    ...is.filter((name) => !was.includes(name)).map((name) => `${path}.${name}: is required now`),
    ...was.filter((name) => !is.includes(name)).map((name) => `${path}.${name}: is optional now`),
  ];
}

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
