import { describe, expect, it } from '@jest/globals';
import { linesOf } from '../../test/logged.ts';

const lines = linesOf(`
  import { DrizzleQueryError } from 'SRC/../node_modules/drizzle-orm/errors.js';
  import { createLog } from 'SRC/logging/logger.ts';
  import { withRequestContext } from 'SRC/logging/request-context.ts';
  const log = createLog('probe', 'info');
  log.info('plain', { paymentId: 'p1', amountKopecks: 1050n, ok: true, count: 3 });
  log.debug('not at this level');
  withRequestContext({ requestId: 'r1' }, () => log.warn('inside a request'));
  log.info('outside again');
  const cause = Object.assign(new Error('card 4111 1111 1111 1111 refused'), { code: '23505', detail: 'Key (cvv)=(123)', body: { cvv: 123 } });
  log.error('failed', { err: new TypeError('could not save 4111111111111111', { cause }) });
  log.error('query', { err: new DrizzleQueryError('insert into "cards" values ($1)', ['token\\nsecond line', '4111111111111111'], new Error('connection lost')) });
  log.error('ids', { err: new Error('payment 41111111-1111-4111-8111-111111111111 of 12 345') });
  log.error('strange', { err: 'pan 4111-1111-1111-1111, mistyped 4111-1111-1111-1112' });
  log.error('stranger', { err: { pan: '4111111111111111' } });
  const deep = (depth) => new Error('level ' + depth, depth > 8 ? {} : { cause: deep(depth + 1) });
  log.error('deep', { err: deep(0) });
`);
const line = (msg: string) => lines.find((candidate) => candidate['msg'] === msg) ?? {};

describe('the log', () => {
  it('writes one JSON line with level, time, service and the named fields', () => {
    expect(line('plain')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'probe',
      msg: 'plain',
      paymentId: 'p1',
      amountKopecks: '1050',
      ok: true,
      count: 3,
    });
  });

  it('leaves out what is below its level', () => {
    expect(line('not at this level')).toEqual({});
  });

  it('carries the request id inside a request and nowhere else', () => {
    expect(line('inside a request')['requestId']).toBe('r1');
    expect(line('outside again')).not.toHaveProperty('requestId');
  });

  it('tells name, message, code and cause of an error, and nothing that is attached to it', () => {
    expect(line('failed')['err']).toMatchObject({
      name: 'TypeError',
      message: 'could not save [a card number was removed]',
      cause: { name: 'Error', message: 'card [a card number was removed] refused', code: '23505' },
    });
    expect(JSON.stringify(line('failed'))).not.toContain('cvv');
  });

  it('removes the parameters of a failed statement, and keeps statement, stack and cause', () => {
    const err = line('query')['err'];
    expect(err).toMatchObject({
      message: 'Failed query: insert into "cards" values ($1)',
      stack: expect.stringMatching(/values \(\$1\)\n {4}at /),
      cause: { message: 'connection lost' },
    });
    expect(JSON.stringify(err)).not.toMatch(/token|second line/);
  });

  it('removes what could be a card number everywhere, and leaves ids', () => {
    expect(line('ids')['err']).toMatchObject({ message: 'payment 41111111-1111-4111-8111-111111111111 of 12 345' });
    expect(line('strange')['err']).toEqual({ message: 'pan [a card number was removed], mistyped [digits]' });
    expect(line('stranger')['err']).toEqual({ message: 'object' });
    expect(JSON.stringify(lines)).not.toMatch(/4111[ -]?1111[ -]?1111[ -]?1111/);
  });

  it('follows a chain of causes only so far', () => {
    expect(JSON.stringify(line('deep'))).toContain('level 4');
    expect(JSON.stringify(line('deep'))).not.toContain('level 5');
  });

  it('keeps a bounded number of lines that nobody reads, and counts the rest', () => {
    const written = linesOf(`
      import { createLog } from 'SRC/logging/logger.ts';
      import { logLinesDropped } from 'SRC/telemetry/metrics.ts';
      const log = createLog('probe', 'info');
      const filling = 'x'.repeat(1_000);
      // Nothing is written before this tick of the event loop is over.
      for (let count = 0; count < 6_000; count += 1) log.info('line', { filling });
      setTimeout(async () => log.info('end', { dropped: (await logLinesDropped.get()).values[0].value }), 500);
    `);
    const dropped = Number(written.at(-1)?.['dropped']);
    expect(written.filter(({ msg }) => msg === 'line').length + dropped).toBe(6_000);
    expect(dropped).toBeGreaterThan(1_000);
    expect(written.filter(({ msg }) => msg === 'the log is written again, lines of it were lost')).toEqual([
      expect.objectContaining({ level: 'warn', lostLines: dropped }),
    ]);
  });

  it('gathers what follows a write, and loses none of it when the process ends', () => {
    const written = linesOf(`
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { write } = fs;
      let writes = 0;
      const first = new Promise((resolve) => {
        fs.write = (fd, bytes, done) => {
          writes += 1;
          write(fd, bytes, (...said) => {
            done(...said);
            resolve();
          });
        };
      });
      syncBuiltinESMExports();
      const { createLog } = await import('SRC/logging/logger.ts');
      const log = createLog('probe', 'info');
      log.info('first');
      await first;
      log.info('second');
      log.info('last', { writes });
    `);
    expect(written.map(({ msg }) => msg)).toEqual(['first', 'second', 'last']);
    expect(written.at(-1)).toMatchObject({ writes: 1 });
  });
});
