import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { EVENT, KEYS, noting } from '../test/callbacks.ts';
import { signTestCallback } from './callbacks.ts';
import { callbackPlugin } from './fastify.ts';

describe('the Fastify plugin', () => {
  let app: FastifyInstance;
  let receiver = noting();
  let url = '';
  beforeEach(async () => {
    receiver = noting();
    app = fastify();
    app.post('/orders', (request) => ({ got: request.body }));
    await app.register(callbackPlugin('/callbacks', receiver.options));
    url = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => app.close());

  const post = async (change: (body: string) => string = (body) => body): Promise<number> => {
    const { headers, body } = signTestCallback(EVENT, KEYS, new Date());
    return (await fetch(`${url}/callbacks`, { method: 'POST', headers, body: change(body.toString()) })).status;
  };

  it('200 for the exact bytes, and applied once', async () => {
    expect([await post(), await post()]).toEqual([200, 200]);
    expect(receiver.applied).toEqual([EVENT]);
  });

  it('401 for the same JSON in other bytes', async () => {
    expect(await post((body) => JSON.stringify(JSON.parse(body), undefined, 1))).toBe(401);
    expect(receiver.applied).toEqual([]);
  });

  it('413 for a body of megabytes', async () => {
    expect(await post(() => 'x'.repeat(300_000))).toBe(413);
  });

  it('leaves the parsers of other routes as they are', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"tea":1}' });
    expect(await answer.json()).toEqual({ got: { tea: 1 } });
  });
});
