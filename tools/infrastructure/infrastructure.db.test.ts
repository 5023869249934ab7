import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRunning, type ProcessRecord } from '../lock.mjs';
import { readJson } from './files.ts';
import { removeInfrastructure, startInfrastructure, stopInfrastructure } from './infrastructure.ts';
import { answers, findPostgres, startPostgres, stopPostgres } from './postgres.ts';
import { serverAccount, serverFolder, takeMemoryFolder } from './processes.ts';
import { withClient } from './provision.ts';
import { brokerAnswers, management } from './rabbitmq.ts';

const lines: string[] = [];
const log = (line: string) => lines.push(line);

describe('given addresses', () => {
  it('are taken as they are, and never stopped or restarted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pay-given-'));
    const env = { DATABASE_URL: 'postgres://a@b/c', AMQP_URL: 'amqp://d' };
    const servers = await startInfrastructure({ folder, log, purpose: 'start', env });
    expect(servers).toMatchObject({ rung: 1, databaseUrl: 'postgres://a@b/c', amqpUrl: 'amqp://d', found: true });
    await servers.stop();
    await expect(servers.restart('database')).rejects.toThrow('not ours');
    rmSync(folder, { recursive: true });
  });
});

it('disposable data is in memory, where there is enough, and goes with its folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-memory-'));
  const account = serverAccount(['postgres']);
  const place = takeMemoryFolder(folder, 'postgres', account) ?? join(serverFolder(folder, 'postgres', account).path, 'data');
  const programs = findPostgres() ?? '';
  const server = await startPostgres({
    folder,
    programs,
    password: 'p',
    port: undefined,
    durable: false,
    inMemory: true,
    log,
    onStarted: () => undefined,
  });
  expect(existsSync(join(place, 'PG_VERSION'))).toBe(true);
  for (const record of server.processes) await stopPostgres(record);
  await removeInfrastructure(folder);
  expect(existsSync(place)).toBe(false);
  rmSync(folder, { recursive: true });
});

describe('private servers', () => {
  let folder: string;
  const start = () => startInfrastructure({ folder, log, purpose: 'start', env: {} });
  const processes = () => {
    const state = readJson(join(folder, 'infrastructure.json')) as {
      postgres: ProcessRecord[];
      rabbit: ProcessRecord[];
    };
    return [...state.postgres, ...state.rabbit];
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pay-servers-'));
    mkdirSync(folder, { recursive: true });
    lines.length = 0;
    await start();
  });
  afterAll(async () => {
    await removeInfrastructure(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  it('say which rung was taken, and why not the one before', () => {
    expect(lines[0]).toBe('not rung 1: DATABASE_URL and AMQP_URL not set');
    expect(lines.some((line) => /^rung [234]: /.test(line))).toBe(true);
  });

  it('are found again by a second start', async () => {
    expect(await start()).toMatchObject({ found: true });
  });

  it('have their data and their addresses again after a crash', async () => {
    const servers = await start();
    await withClient(servers.databaseUrl, (client) => client.query('create table kept as select 1 as one'));
    await management(servers.managementUrl ?? '', 'PUT', 'vhosts/kept');
    await servers.restart('database');
    await servers.restart('broker');
    const { rows } = await withClient(servers.databaseUrl, (client) => client.query<{ one: number }>('select one from kept'));
    expect(rows).toEqual([{ one: 1 }]);
    expect((await management(servers.managementUrl ?? '', 'GET', 'vhosts/kept')).status).toBe(200);
  });

  it('are gone after a stop, and another start goes on with the data', async () => {
    const before = processes();
    const first = await start();
    expect(await stopInfrastructure(folder)).toBe(true);
    expect(await stopInfrastructure(folder)).toBe(false);
    expect(before.filter(isRunning)).toEqual([]);
    expect(await answers(first.databaseUrl)).toBe(false);
    expect(await brokerAnswers(first.managementUrl ?? '')).toBe(false);
    const second = await start();
    expect(second.found).toBe(false);
    const { rowCount } = await withClient(second.databaseUrl, (client) => client.query('select from kept'));
    expect(rowCount).toBe(1);
  });
});
