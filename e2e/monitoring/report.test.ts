import { expect, it } from '@jest/globals';
import { renderPage } from './report.ts';

it('the page has each fault once, in the order of the rules, with the alerts that it fired', () => {
  const alerts = [
    { name: 'OutboxStuck page', runbook: 'docs/operate/runbooks/alerts/outbox-stuck.md' },
    { name: 'LoopHanging ticket', runbook: 'docs/operate/runbooks/alerts/loop-hanging.md' },
    { name: 'ServiceDown page', runbook: 'docs/operate/runbooks/alerts/service-down.md' },
  ];
  const fired = [
    { alert: 'LoopHanging ticket', seconds: 1, fault: 'a round hangs' },
    { alert: 'ServiceDown page', seconds: 2, fault: 'RabbitMQ stops' },
    { alert: 'OutboxStuck page', seconds: 12, fault: 'RabbitMQ stops' },
  ];
  const page = renderPage(alerts, fired, new Date('2026-11-24T02:00:00Z'));
  expect(page.trimEnd().split('\n').slice(-2)).toEqual([
    '- RabbitMQ stops: [OutboxStuck](runbooks/alerts/outbox-stuck.md) (`page`) 12 s, [ServiceDown](runbooks/alerts/service-down.md) (`page`) 2 s',
    '- a round hangs: [LoopHanging](runbooks/alerts/loop-hanging.md) (`ticket`) 1 s',
  ]);
});
