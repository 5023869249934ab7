import { readFileSync } from 'node:fs';
import { freshMoment, readIdentity, signRequest } from '../packages/sdk/src/sign.ts';
import { attack } from '../services/gateway/test/malformed.ts';
import { processUrls } from '../tools/system/environment.ts';
import type { Report } from './figures.ts';
import { table } from './table.ts';
import { withSystem } from './world.ts';

const SECONDS = 60;

/** A minute of invalid requests: the gateway's memory, its answers, and whether it still serves. */
export function benchMalformed(): Promise<Report> {
  return withSystem({ env: { gateway: { FAILED_AUTHENTICATIONS_PER_MINUTE: '100000000' } } }, async (world) => {
    const { id } = await world.partner.create(world.state.partner.paymentPoints.card);
    const { url } = processUrls(world.state, 'gateway', 1);
    const pid = world.state.processes.find(({ program }) => program === 'gateway')?.record.pid ?? 0;
    const identity = readIdentity(world.state.partner);
    const parts = {
      method: 'POST',
      target: '/api/card',
      idempotencyKey: 'key-0123456789abcdef',
      body: Buffer.from('{}'),
    };
    const { authorization } = signRequest(identity, parts, freshMoment(new Date()));
    const valid = `POST /api/card HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nIdempotency-Key: ${parts.idempotencyKey}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
    const rows: string[][] = [];
    const memory = () => Math.round(residentBytes(pid) / 1_048_576);
    rows.push(['before', '', '', '', String(memory())]);
    for (let passed = 0; passed < SECONDS; passed += 10) {
      const counts = await attack(url, { valid, seconds: 10, seed: passed + 1, connections: 16 });
      const answers = [...counts].filter(([status]) => status > 0).sort(([a], [b]) => a - b);
      rows.push([
        `${String(passed + 10)} s`,
        String([...counts.values()].reduce((sum, count) => sum + count, 0)),
        answers.map(([status, count]) => `${String(count)} × ${String(status)}`).join(', '),
        String(counts.get(-1) ?? 0),
        String(memory()),
      ]);
    }
    await world.partner.read(id);
    const figure = { name: 'memory after a minute', unit: 'MiB', better: 'lower', values: [memory()] } as const;
    const text = [
      'Floor: the memory before. Targets: no 500, none silent, memory flat after the first ten seconds.',
      '',
      table(['after', 'sent', 'answers', 'silent', 'resident MB'], rows),
      '',
      'A good request is answered after it.',
    ].join('\n');
    return { text, figures: [figure] };
  });
}

/** Linux only, like the figure. */
function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}
