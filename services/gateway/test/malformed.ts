import fc from 'fast-check';
import { sendRaw } from './gateway.ts';

const word = fc.constantFrom(
  'GET',
  'POST',
  ' ',
  '/',
  '/api/card',
  '?a=%',
  'HTTP/1.1',
  '\r\n',
  '\n',
  '\r\n\r\n',
  'Host: a',
  'Authorization: ',
  '{"partnerID":',
  '"a"',
  '}',
  'Content-Length: ',
  '5',
  'Transfer-Encoding: chunked',
  '\0',
  '\xff',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'Connection: upgrade',
  ':',
  'Idempotency-Key: x',
);

/**
 * Input that no client sends: words of HTTP in random order, and valid requests with one of them written over a part.
 */
export function malformedRequest(valid: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.array(word, { maxLength: 20 }).map((words) => words.join('')),
    fc.tuple(fc.nat(valid.length - 1), word).map(([at, text]) => valid.slice(0, at) + text + valid.slice(at + text.length)),
  );
}

/** The status of the first answer to these bytes; 0 when the connection was closed without one, -1 for silence. */
export async function answerTo(base: string, text: string): Promise<number> {
  // The second request is complete, so the server has no reason to wait for more of the first.
  return sendRaw(base, text, '\r\n\r\nGET / HTTP/1.1\r\n\r\n\r\n\r\n').then(
    ({ status }) => status,
    (error: unknown) => (String(error).includes('no answer in') ? -1 : 0),
  );
}

/** Inputs generated in advance, so that the attack itself costs little compared with the gateway. */
const INPUTS = 2_000;

/** Sends malformed requests on many connections for a time. Returns how often each status was the answer. */
export async function attack(
  base: string,
  options: { readonly valid: string; readonly seconds: number; readonly seed: number; readonly connections: number },
): Promise<ReadonlyMap<number, number>> {
  const inputs = fc.sample(malformedRequest(options.valid), { numRuns: INPUTS, seed: options.seed });
  const until = performance.now() + options.seconds * 1_000;
  const counts = new Map<number, number>();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const status = await answerTo(base, inputs[next++ % INPUTS] ?? '');
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: options.connections }, worker));
  return counts;
}
