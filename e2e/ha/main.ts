// `npm run test:ha`: every row of the table; `npm run test:ha -- <row> …`: only these. A complete run replaces
// docs/operate/proof-ha.json and the section "High availability" of docs/operate/proof.md.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { folderId } from '../../tools/infrastructure/files.ts';
import { LOCAL } from '../../tools/infrastructure/folders.ts';
import { removeInfrastructure } from '../../tools/infrastructure/infrastructure.ts';
import { endIfMissing, obtainProgram, printMissing } from '../../tools/infrastructure/obtain-program.ts';
import { ARTIFACTS } from '../../tools/testing/test-folders.ts';
import { makeCredentials } from './certificates.ts';
import type { Job } from './job.ts';
import { obtainPrograms, obtainServers } from './programs.ts';
import { isOk, keepRun, renderRow, Result } from './report.ts';
import { ROWS } from './rows.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const FOLDER = join(LOCAL, 'ha');
/** Other accounts reach it, wherever the checkout is. */
const DATA = `/var/tmp/pay-ha-${folderId(LOCAL)}`;
/** Logs of services and servers, for finding a cause. */
const LOGS = join(ARTIFACTS, 'ha-logs');
/** The servers' first start, and for each row more than it may take. */
const START_MS = 600_000;
const ROW_MS = 400_000;

/** Also what a run left that was killed. */
async function removeData(): Promise<void> {
  await removeInfrastructure(join(FOLDER, 'bank'));
  for (const folder of [FOLDER, DATA]) rmSync(folder, { recursive: true, force: true });
}

/**
 * Runs the drill as the first process of its own process, mount and network namespaces: whatever it started ends with
 * it, and it ends with us, even if we are killed. Returns the results that it came to.
 */
async function runDrill(job: Job): Promise<Result[]> {
  const unshare = ['unshare', '--mount', '--net', '--pid', '--mount-proc', '--fork', '--kill-child'];
  // The shell waits for those whose parents have ended.
  const shell = ['sh', '-c', '"$@"; exit $?', 'drill'];
  const drill = [process.execPath, join(import.meta.dirname, 'drill.ts'), JSON.stringify(job)];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...unshare, ...shell, ...drill], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // The drill and the programs that it starts trust the hosts' authority, as in LIVE.
    env: { ...process.env, NODE_EXTRA_CA_CERTS: job.credentials.caFile },
    timeout: START_MS + job.rows.length * ROW_MS,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => {
      child.kill('SIGKILL');
      process.exitCode = 130;
    });
  const results: Result[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const result = Result.parse(JSON.parse(line));
    results.push(result);
    for (const row of ROWS) if (row.name === result.name) say(renderRow(row, result));
    for (const sentence of [...result.lost, ...result.twice].slice(0, 10)) say(`    ${sentence}`);
  }
  await ended;
  return results;
}

const names = process.argv.slice(2);
const rows = ROWS.filter(({ name }) => names.length === 0 || names.includes(name));
const unknown = names.find((name) => ROWS.every((row) => row.name !== name));
if (unknown !== undefined) {
  process.stderr.write(`There is no row ${unknown}. There are: ${ROWS.map(({ name }) => name).join(', ')}.\n`);
  process.exitCode = 2;
} else if (process.getuid?.() !== 0 || process.platform !== 'linux') {
  process.stderr.write('test:ha needs Linux and root: every host is a network namespace.\n');
  process.exitCode = 2;
} else {
  for (const name of ['setpriv', 'unshare'] as const) await obtainProgram(name, say).catch(endIfMissing);
  await removeData();
  try {
    await obtainServers(say);
    for (const folder of [FOLDER, DATA]) mkdirSync(folder, { recursive: true, mode: 0o755 });
    const programs = await obtainPrograms(join(DATA, 'programs'), say);
    const [credentials, strangers] = [makeCredentials(join(DATA, 'tls')), makeCredentials(join(DATA, 'strangers'))];
    const job = { rows: rows.map(({ name }) => name), folder: FOLDER, data: DATA, programs, credentials, strangers };
    const results = await runDrill(job);
    const ok = rows.filter((row) => results.some((result) => result.name === row.name && isOk(row, result)));
    if (names.length === 0 && results.length === ROWS.length) await keepRun(ROWS, results);
    say(`${String(rows.length)} rows, ${String(ok.length)} ok`);
    if (ok.length < rows.length) process.exitCode ??= 1;
  } catch (error) {
    printMissing(error);
  } finally {
    rmSync(LOGS, { recursive: true, force: true });
    for (const name of ['logs', 'servers'])
      if (existsSync(join(FOLDER, name))) cpSync(join(FOLDER, name), join(LOGS, name), { recursive: true });
    await removeData();
  }
}
