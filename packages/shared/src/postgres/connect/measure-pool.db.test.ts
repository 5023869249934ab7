import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openMechanisms, type Mechanisms } from '../../../test/mechanisms.ts';
import { databaseConnections, databaseDuration } from '../../telemetry/metrics.ts';
import { countConnections } from './measure-pool.ts';
import { openDatabase } from './pool.ts';

let t: Mechanisms;
beforeAll(async () => {
  t = await openMechanisms();
});
afterAll(() => t.close());

it('counts used and idle connections and waiting calls, and measures how long each was held', async () => {
  const database = openDatabase({
    url: t.url,
    applicationName: 'measured',
    poolSize: 1,
    onIdleError: () => undefined,
  });
  const connections = async (): Promise<Readonly<Record<string, number>>> => {
    countConnections();
    const { values } = await databaseConnections.get();
    return Object.fromEntries(
      values.filter(({ labels }) => labels.pool === 'measured').map(({ labels, value }) => [String(labels.state), value]),
    );
  };
  const held = async (result: string) => {
    const { values } = await databaseDuration.get();
    const isCount = ({ metricName }: { metricName?: string }) => metricName === 'database_hold_seconds_count';
    return values.find((one) => isCount(one) && one.labels.pool === 'measured' && one.labels.result === result)?.value ?? 0;
  };
  const client = await database.pool.connect();
  const waiting = database.pool.query('select 1');
  expect(await connections()).toEqual({ used: 1, idle: 0, waiting: 1 });
  client.release();
  await waiting;
  expect(await connections()).toEqual({ used: 0, idle: 1, waiting: 0 });
  expect([await held('done'), await held('broken')]).toEqual([2, 0]);
  (await database.pool.connect()).release(true);
  expect([await held('done'), await held('broken')]).toEqual([2, 1]);
  await database.close();
  expect(await connections()).toEqual({});
});
