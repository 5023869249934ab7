import { expect, it } from '@jest/globals';
import { renderPage } from './report.ts';

it('the page has each fault once, and a row for each alert, in the order of the rules, with aligned columns', () => {
  const alerts = [
    { name: 'OutboxStuck page', runbook: 'docs/runbooks/alerts/outbox-stuck.md' },
    { name: 'LoopHanging ticket', runbook: 'docs/runbooks/alerts/loop-hanging.md' },
  ];
  const fired = [
    { alert: 'LoopHanging ticket', seconds: 1, fault: 'a round hangs' },
    { alert: 'OutboxStuck page', seconds: 12, fault: 'RabbitMQ stops' },
  ];
  const page = renderPage(alerts, fired, new Date('2026-11-24T02:00:00Z'));
  expect(page.trimEnd().split('\n').slice(-7)).toEqual([
    '1. RabbitMQ stops',
    '2. a round hangs',
    '',
    '| alert                                                        | fault | fired after, s |',
    '| ------------------------------------------------------------ | ----- | -------------- |',
    '| [OutboxStuck](../runbooks/alerts/outbox-stuck.md) (`page`)   | 1     | 12             |',
    '| [LoopHanging](../runbooks/alerts/loop-hanging.md) (`ticket`) | 2     | 1              |',
  ]);
});
