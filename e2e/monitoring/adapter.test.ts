import { expect, it } from '@jest/globals';
import { readQuery } from '../../tools/monitoring/queries.ts';
import { adapterQueries } from './adapter.ts';

it('asks Prometheus for what the autoscalers want, with every placeholder filled in', () => {
  const queries = adapterQueries(['gateway']).map(({ expr }) => expr);
  expect(queries).toContain(
    'sum(rate(http_request_duration_seconds_sum{namespace="pay",pod=~"gateway-1",listener=~"api|form"}[1m])) by (pod)',
  );
  expect(queries).toHaveLength(4);
  expect(queries.filter((expr) => expr.includes('<<') || readQuery(expr).isBroken)).toEqual([]);
});
