import type { EVENT_STATUSES } from '@pay/contract/states.ts';

export type EventStatus = (typeof EVENT_STATUSES)[number];
