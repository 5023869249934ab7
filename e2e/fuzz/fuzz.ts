import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ErrorBody } from '../../packages/contract/src/api/errors.ts';
import { openApiDocument } from '../../packages/contract/src/openapi.ts';
import { connectTo, type Connection, type RawAnswer } from '../../packages/sdk/src/http.ts';
import { freshMoment, readIdentity, signRequest, type Identity } from '../../packages/sdk/src/sign.ts';
import type { World } from '../world.ts';
import { MEDIA_TYPE, requests, type FuzzedRequest } from './requests.ts';

/** How often each kind of request got each status, and every response that is not as documented. */
export type Fuzzed = { readonly answers: Readonly<Record<string, number>>; readonly faults: readonly string[] };

/** Requests in flight at once. */
const CONCURRENCY = 6;
/** Characters of the request and of the response that a fault has. */
const SHOWN = 400;

/**
 * Sends `count` signed requests, made from the document and from `seed`, and compares each answer with it: status, code,
 * type, headers and every member. Ids of later requests are those of earlier answers.
 */
export async function fuzz(world: World, count: number, seed: number): Promise<Fuzzed> {
  const { partnerID, publicKey, privateKeyPem } = world.partner;
  const identity = readIdentity({ partnerID, publicKey, privateKeyPem });
  const connection = connectTo(new URL(world.system.addresses.baseUrl));
  const left = requests(world, count, seed);
  const known = new Map<string, string>();
  const answers: Record<string, number> = {};
  const faults: string[] = [];
  const sendOnes = async (): Promise<void> => {
    for (let request = left.pop(); request !== undefined; request = left.pop()) {
      const target = targetOf(request, known);
      const answer = await send(connection, identity, request, target);
      const name = `${request.kind}: ${String(answer.status)}`;
      answers[name] = (answers[name] ?? 0) + 1;
      const fault = faultOf(request, answer);
      if (fault === undefined) learn(request, answer, known);
      else
        faults.push(
          `${fault}\n  ${request.method} ${target} ${request.body.toString().slice(0, SHOWN)}\n  ${String(answer.status)} ${answer.body.toString().slice(0, SHOWN)}`,
        );
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, sendOnes));
  } finally {
    connection.close();
  }
  return { answers, faults };
}

/** The path with ids that are known, or with new ones. */
function targetOf({ path, query, odd }: FuzzedRequest, known: ReadonlyMap<string, string>): string {
  const part = path.split('/')[2] ?? '';
  const target = path.replaceAll(
    /\{(\w+)\}/g,
    (_all, name: string) => odd ?? (name === 'date' ? '2026-11-20' : (known.get(`${part}.${name}`) ?? known.get(name) ?? randomUUID())),
  );
  return query === '' ? target : `${target}?${query}`;
}

async function send(connection: Connection, identity: Identity, request: FuzzedRequest, target: string): Promise<RawAnswer> {
  const { method, body, idempotencyKey = '', contentType } = request;
  const { authorization } = signRequest(identity, { method, target, idempotencyKey, body }, freshMoment(new Date()));
  const headers = {
    Authorization: authorization,
    ...(idempotencyKey === '' ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
  };
  return connection.send({ method, target, headers, body, timeoutMs: 30_000 });
}

const Responses = z.record(
  z.string(),
  z.object({ content: z.record(z.string(), z.object({ examples: z.record(z.string(), z.unknown()).default({}) })) }),
);
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ responses: Responses }))) })
  .parse(openApiDocument());

/** What the document does not have of an answer. */
function faultOf({ operation, refusal, kind }: FuzzedRequest, { status, headers, body }: RawAnswer): string | undefined {
  if (status >= 500) return 'the service failed';
  if (headers['x-request-id'] === undefined || headers['cache-control'] !== 'no-store') return 'a header is missing';
  const documented = paths[operation.path]?.[operation.method]?.responses[String(status)];
  if (documented === undefined) return 'a status that is not documented';
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const content = documented.content[type];
  if (content === undefined) return 'a type that is not documented';
  if (type === 'text/csv' || operation.response === undefined) return undefined;
  const received: unknown = JSON.parse(body.toString());
  const schema = status < 400 ? operation.response : ErrorBody;
  const read = schema.safeParse(received);
  // What a schema does not name is dropped from its result.
  if (!read.success || !isDeepStrictEqual(read.data, received)) return 'a body that is not documented';
  if (status < 400) return refusal === undefined ? undefined : 'taken, and the document forbids it';
  const { code } = ErrorBody.parse(received);
  if (!(code in content.examples)) return 'a code that is not documented for it';
  if (status === 429) return undefined;
  if (kind === MEDIA_TYPE && status === 415) return 'a media type that is JSON was refused';
  if (refusal !== undefined && (status !== refusal.status || code !== refusal.code)) return `not ${refusal.code}`;
  return kind === 'valid' && code === 'VALIDATION_FAILED' ? 'refused, and the document allows it' : undefined;
}

const Ids = z.object({ id: z.string(), refundId: z.string(), eventId: z.string(), withdrawalRequestId: z.string() }).partial();
const List = z.object({ items: z.array(Ids).min(1) });

/** Keeps the ids of what was made, and of what a list has first: the next requests are about it. */
function learn({ operation }: FuzzedRequest, { status, headers, body }: RawAnswer, known: Map<string, string>): void {
  if (status >= 300 || !String(headers['content-type']).startsWith('application/json')) return;
  const received: unknown = JSON.parse(body.toString());
  const list = List.safeParse(received);
  const read = Ids.safeParse(list.success ? list.data.items[0] : received);
  if (!read.success) return;
  const { id, refundId, eventId, withdrawalRequestId } = read.data;
  const part = operation.path.split('/')[2] ?? '';
  const made = { [`${part}.id`]: id, refundId, eventId, requestID: withdrawalRequestId };
  for (const [name, value] of Object.entries(made)) if (value !== undefined) known.set(name, value);
}
