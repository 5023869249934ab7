import { expect, it } from '@jest/globals';
import { shortenedQuery, shortenedRules } from './shortened-rules.ts';

it('a query keeps its numbers, and its windows are divided by sixty, between four seconds and thirty', () => {
  expect(shortenedQuery('rate(a[5m]) > 60 and max_over_time(b[2m]) > 0 or increase(c[3d]) / rate(d[1h]) > 5')).toBe(
    'rate(a[5000ms]) > 60 and max_over_time(b[4000ms]) > 0 or increase(c[30000ms]) / rate(d[30000ms]) > 5',
  );
});

it('the rules of a drill wait seconds, and are all there', () => {
  const text = shortenedRules();
  expect(text).toContain('"alert":"OutboxStuck"');
  expect(text).toContain('"record":"slo:error_ratio:rate3d"');
  expect(text).not.toMatch(/\[\d+[smhd]\]|"for":"\d+[smhd]"/);
});
