import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '../../../../tools/infrastructure/ports.ts';
import { startCollector } from '../../../../tools/testing/collector.ts';
import { createTestBroker, type TestBroker } from '../../../../tools/testing/database.ts';
import { COMPILE_CACHE } from '../../../../tools/testing/process.ts';
import { openMechanisms, until, type Mechanisms } from '../../test/mechanisms.ts';

const MAIN = fileURLToPath(new URL('../../test/probe-service.ts', import.meta.url));
let t: Mechanisms;
let broker: TestBroker;
let ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  [t, broker] = await Promise.all([openMechanisms(), createTestBroker()]);
});
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});
afterAll(async () => {
  await Promise.all([t.close(), broker.drop()]);
});

type Line = Record<string, unknown>;

/** Starts the probe service as a process of its own. */
function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...COMPILE_CACHE,
      ENVIRONMENT: 'TEST',
      PORT: '0',
      PRIVATE_PORT: '0',
      DATABASE_URL: t.url,
      AMQP_URL: broker.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const lines: Line[] = [];
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (text) => lines.push(JSON.parse(text) as Line));
  const ended = async () => {
    await closed;
    return child.exitCode;
  };
  ends.push(() => {
    child.kill('SIGKILL');
    return closed;
  });
  const urlOf = (listener: string) => {
    const line = lines.find((candidate) => candidate['msg'] === 'listening' && candidate['listener'] === listener);
    return `http://127.0.0.1:${String(line?.['port'])}`;
  };
  const said = (msg: string) => lines.some((line) => line['msg'] === msg);
  const ready = async () => {
    await until(() => lines.some((line) => line['msg'] === 'listening' && line['listener'] === 'api'));
    await until(async () => (await fetch(`${urlOf('private')}/readyz`)).status === 200);
  };
  return { child, lines, ended, urlOf, said, ready, complaint: () => complaint };
}

/** Starts the probe service with a log that nobody can count on: it is found by its ports. */
async function startLoggingTo(log: number, prefix: readonly string[] = []) {
  const ports = await freePorts(['api', 'private']);
  const [command, ...args] = [...prefix, process.execPath, MAIN];
  const child = spawn(command, args, {
    env: {
      ...COMPILE_CACHE,
      PATH: process.env['PATH'],
      ENVIRONMENT: 'TEST',
      PORT: String(ports.api),
      PRIVATE_PORT: String(ports.private),
      DATABASE_URL: t.url,
      AMQP_URL: broker.url,
    },
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  const closed = once(child, 'close');
  ends.push(() => {
    child.kill('SIGKILL');
    return closed;
  });
  const privateUrl = `http://127.0.0.1:${String(ports.private)}`;
  const isReady = async () => (await fetch(`${privateUrl}/readyz`).catch(() => undefined))?.status === 200;
  await until(isReady);
  return {
    child,
    api: `http://127.0.0.1:${String(ports.api)}`,
    ended: async () => {
      await closed;
      return child.exitCode;
    },
    droppedLines: async () => {
      const metrics = await (await fetch(`${privateUrl}/metrics`)).text();
      return Number(/^log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
    },
  };
}

describe('runService', () => {
  it('starts, is ready, relays and consumes, and stops on SIGTERM with status 0', async () => {
    const service = start();
    await service.ready();
    const made = await fetch(`${service.urlOf('api')}/things/one`, { method: 'POST' });
    expect(made.status).toBe(201);
    await until(async () => (await t.effectNames()).includes('one'));
    expect((await fetch(`${service.urlOf('private')}/healthz`)).status).toBe(200);
    const metrics = await (await fetch(`${service.urlOf('private')}/metrics`)).text();
    expect(metrics).toContain('http_requests_total{listener="api",method="POST",route="/things/:name",status="201"} 1');
    service.child.kill('SIGTERM');
    expect(await service.ended()).toBe(0);
    expect(service.said('stopped')).toBe(true);
    expect(service.complaint()).toBe('');
  });

  it.each([
    { shiftMs: -41_000, ahead: 41, problems: ["the clock of this machine is 41 s behind the database's"] },
    { shiftMs: 3_000, ahead: -3, problems: ["the clock of this machine is 3 s ahead of the database's"] },
    { shiftMs: 0, ahead: 0, problems: [] },
  ])('ready, and degraded, with a clock that is $shiftMs ms off', async ({ shiftMs, ahead, problems }) => {
    const shift = `const { now } = Date; Date.now = () => now() + ${String(shiftMs)};`;
    const service = start({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(shift)}` });
    await service.ready();
    const ready = await fetch(`${service.urlOf('private')}/readyz`);
    expect(await ready.json()).toMatchObject({ status: 'ready', degraded: problems });
    const metrics = await (await fetch(`${service.urlOf('private')}/metrics`)).text();
    const measured = Number(/^database_clock_ahead_seconds (.+)$/m.exec(metrics)?.[1]);
    expect(Math.abs(measured - ahead)).toBeLessThanOrEqual(1);
  });

  it('metrics, health and operators are on the loopback interface, wherever the public port is (L3)', async () => {
    const service = start({ HOST: '0.0.0.0' });
    await service.ready();
    const elsewhere = (listener: string) => service.urlOf(listener).replace('127.0.0.1', '127.0.0.2');
    expect((await fetch(`${elsewhere('api')}/nowhere`)).status).toBe(404);
    await expect(fetch(`${elsewhere('private')}/metrics`)).rejects.toThrow('fetch failed');
    expect((await fetch(`${service.urlOf('private')}/metrics`)).status).toBe(200);
  });

  it('prints its configuration with secrets masked', async () => {
    const service = start();
    await service.ready();
    const line = service.lines.find((candidate) => candidate['msg'] === 'starting');
    expect(line?.['config']).toContain('"DATABASE_URL":"***"');
    expect(JSON.stringify(service.lines)).not.toContain(t.url);
  });

  it('ends with status 1 and one message when its configuration is wrong', async () => {
    const service = start({ ENVIRONMENT: 'PROD', PORT: '', DATABASE_URL: 'mysql://u:hunter2@h/d' });
    expect(await service.ended()).toBe(1);
    expect(service.complaint()).toMatch(/^probe: The configuration is not valid:\n {2}\w+: .*\n {2}\w+: .*\n {2}\w+: .*\n$/);
    expect(service.complaint()).not.toContain('hunter2');
  });

  it('starts without a broker, takes commands, and says what is missing', async () => {
    const service = start({ AMQP_URL: 'amqp://127.0.0.1:1' });
    await until(() => service.lines.some((line) => line['msg'] === 'listening' && line['listener'] === 'api'));
    const made = await fetch(`${service.urlOf('api')}/things/patient`, { method: 'POST' });
    expect(made.status).toBe(201);
    const readiness = await fetch(`${service.urlOf('private')}/readyz`);
    expect(readiness.status).toBe(503);
    const said: unknown = await readiness.json();
    expect(said).toMatchObject({ status: 'not ready', missing: ['broker'] });
    expect(said).toMatchObject({ degraded: expect.arrayContaining(['relay: the broker is unavailable']) });
    const metrics = await (await fetch(`${service.urlOf('private')}/metrics`)).text();
    for (const part of ['consumer', 'relay']) expect(metrics).toMatch(new RegExp(`^broker_topology_complete\\{part="${part}"\\} 0$`, 'm'));
    service.child.kill('SIGTERM');
    expect(await service.ended()).toBe(0);
  });

  it('finishes a running request after SIGTERM', async () => {
    const service = start();
    await service.ready();
    const held = await fetchSlowly(service.urlOf('api'));
    service.child.kill('SIGTERM');
    await until(() => service.said('draining'));
    const readiness = await fetch(`${service.urlOf('private')}/readyz`);
    expect([readiness.status, await readiness.json()]).toMatchObject([503, { missing: ['draining'] }]);
    expect(await held.finish()).toMatch(/^HTTP\/1\.1 201 /);
    expect(await service.ended()).toBe(0);
    await expect(t.query(`select from outbox where aggregate_id = 'held'`)).resolves.toBeDefined();
  });

  it('ends loudly on what nobody expected', async () => {
    const service = start();
    await service.ready();
    await fetch(`${service.urlOf('api')}/fail`).catch(() => undefined);
    expect(await service.ended()).toBe(1);
    expect(service.said('uncaught error, ending the process')).toBe(true);
  });

  it('goes on, counts what it could not log, and stops on SIGTERM while the disk of its log is full (F3)', async () => {
    const service = await startLoggingTo(openSync('/dev/full', 'w'));
    const made = await fetch(`${service.api}/things/unlogged`, { method: 'POST' });
    expect(made.status).toBe(201);
    await until(async () => (await service.droppedLines()) > 0);
    service.child.kill('SIGTERM');
    expect(await service.ended()).toBe(0);
  });

  it('says how many lines were lost when the disk of its log has room again, and tears none (F3)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'full-log-'));
    try {
      const file = join(folder, 'log');
      // A file that takes one block of 512 bytes and no more, until it is emptied.
      const service = await startLoggingTo(openSync(file, 'a'), ['sh', '-c', 'ulimit -f 1; exec "$@"', 'sh']);
      await until(async () => (await service.droppedLines()) > 0);
      const dropped = await service.droppedLines();
      truncateSync(file, 0);
      service.child.kill('SIGTERM');
      expect(await service.ended()).toBe(0);
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((text) => JSON.parse(text) as Line);
      const again = lines.find(({ msg }) => msg === 'the log is written again, lines of it were lost');
      expect(again?.['lostLines']).toBeGreaterThanOrEqual(dropped);
      expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('shows one trace from a request through the outbox and the broker to the consumer', async () => {
    const collector = await startCollector();
    const service = start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=canary',
    });
    await service.ready();
    const traceId = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
    const headers = { traceparent: `00-${traceId}-bbbbbbbbbbbbbbbb-01` };
    await fetch(`${service.urlOf('api')}/things/traced`, { method: 'POST', headers });
    await until(async () => (await t.effectNames()).includes('traced'));
    const metrics = await fetch(`${service.urlOf('private')}/metrics`);
    expect(metrics.headers.get('content-type')).toMatch(/^application\/openmetrics-text/);
    expect(await metrics.text()).toMatch(new RegExp(`^http_request_duration_seconds_bucket\\{.+\\} 1 # \\{trace_id="${traceId}"\\}`, 'm'));
    service.child.kill('SIGTERM');
    expect(await service.ended()).toBe(0);
    await collector.close();
    const find = (name: string) => collector.spans.find((span) => span.name === name && span.traceId === traceId);
    const names = ['POST /things/:name', 'postgresql transaction', 'publish thing.made', 'consume thing.made'];
    const [request, stored, published, consumed] = names.map(find);
    expect(request?.parentSpanId).toBe('bbbbbbbbbbbbbbbb');
    expect(stored?.parentSpanId).toBe(request?.spanId);
    expect(published?.parentSpanId).toBe(stored?.spanId);
    expect(consumed?.parentSpanId).toBe(published?.spanId);
    const told = collector.bodies.join();
    expect(told).not.toContain('traced"');
    expect(told).toContain('"canary"');
    expect(service.lines.find((line) => line['msg'] === 'request' && line['traceId'] === traceId)).toBeDefined();
  });
});

/** Sends half of a request; `finish` sends the rest and returns the whole answer. */
async function fetchSlowly(base: string): Promise<{ finish: () => Promise<string> }> {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.write('POST /things/held HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
  // "100 Continue" says that the server has the request.
  await once(socket, 'data');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  return {
    finish: async () => {
      socket.write('{}');
      await closed;
      return answer;
    },
  };
}
