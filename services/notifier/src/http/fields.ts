import { z } from 'zod';
import { EVENT_STATUSES } from '@pay/contract/states.ts';
import { isEventType } from '../events/render-event.ts';

/** The parameters that operator routes share. */
export const partnerId = z.string().min(1).max(128);
export const limit = z.coerce.number().int().min(1).max(100).default(20);
export const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 timestamp with its zone, such as 2026-11-21T00:00:00Z' })
  .transform((text) => new Date(text));
export const eventStatus = z.enum(EVENT_STATUSES);

export const eventType = z.string().refine(isEventType, 'is not a type of event');

/** `?partnerId=&limit=` of lists that need no more. */
export const PartnerListQuery = z.strictObject({ partnerId: partnerId.optional(), limit });
