import { z } from 'zod';
import { moment } from '@pay/shared/http/fields.ts';
import { LimitAndPage, nextPageToken, oneOf } from '../fields.ts';
import { named } from '../registry.ts';

/** See decisions/event-stream. */
export const RequestLogList = named(
  'RequestLogList',
  "The partner's requests of the last day, the newest 10,000 of them, newest first. TEST only.",
  z.object({
    items: z
      .array(
        z.object({
          requestId: z.uuid().describe('X-Request-Id of the response'),
          at: moment.describe('When it was answered'),
          method: z.string().describe('The HTTP method'),
          path: z.string().describe('The path, without the query; of a request that you did not sign the path of its operation'),
          status: z.int().describe('The HTTP status of the response'),
          durationMs: z.number().describe('From the request line to the response, in milliseconds').meta({ format: 'double' }),
          code: z.string().nullable().describe('The code of the error; null if it was not refused'),
          error: z.string().nullable().describe('The sentence of the error'),
          details: z
            .array(
              z.object({
                field: z.string().describe('Its path in the body, or a query name'),
                message: z.string().describe('The rule; never the value'),
              }),
            )
            .describe('The invalid fields, or the cause of a 401'),
        }),
      )
      .describe('The requests of this page'),
    nextPageToken,
  }),
);

export const RequestLogQuery = LimitAndPage.extend({
  verified: oneOf(['true', 'false'])
    .default('true')
    .describe('false: the newest 200 requests that name a key of yours and are not signed with it, by whomever'),
});

export const RequestStreamQuery = z.strictObject({
  after: z
    .string()
    .max(256, 'must come from this list or stream')
    .describe('The id of the last request that arrived; without it, the stream begins with what is sent from now on')
    .optional(),
});
