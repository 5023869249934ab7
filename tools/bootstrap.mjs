// The first step of every command, before anything is installed: plain JavaScript, no dependencies, Node 20.19 or
// later.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const PNPM = 'pnpm@12.21.0';
const OLDEST_NODE = [20, 19];
const INSTALL_NEEDS_BYTES = 2e9;
const RUN_NEEDS_BYTES = 5e8;

/** An expected failure: its message is the single line that says what to do. */
class Obstacle extends Error {}

/**
 * Checks the machine, installs packages if needed, and runs `entry` (TypeScript) on the pinned Node with the arguments that
 * were given. Never returns: the process ends with the exit status of `entry`. `takes` names the options; without `about`,
 * which --help prints, `entry` reads all arguments itself.
 */
export async function runCommand(name, { entry, takes = '', about }, given) {
  if (about !== undefined) checkArguments(name, takes, about, given);
  try {
    checkNode();
    const fingerprint = installFingerprint();
    checkDisk(isInstalled(fingerprint) ? RUN_NEEDS_BYTES : INSTALL_NEEDS_BYTES);
    if (!isInstalled(fingerprint)) await install(fingerprint);
  } catch (error) {
    console.error(error instanceof Obstacle ? error.message : `This should not happen: ${error.stack}`);
    process.exit(1);
  }
  await handOver(entry, given);
}

/** Ends the process after --help, and for an argument that the command does not take: some take hours, or remove data. */
function checkArguments(name, takes, about, given) {
  const command = `npm ${['start', 'stop', 'test'].includes(name) ? '' : 'run '}${name}`;
  const usage = takes === '' ? command : `${command} -- ${takes}`;
  if (given.includes('--help') || given.includes('-h')) {
    console.log(`${usage}\n\n${about}`);
    process.exit(0);
  }
  const options = takes.split(/[\s[\]]+/).filter((word) => word.startsWith('--'));
  const takesWords = /\[[a-z]/.test(takes);
  const wrong = given.find((one, index) =>
    one.startsWith('-') ? !options.includes(one.split('=')[0]) : !takesWords && !given[index - 1]?.startsWith('--'),
  );
  if (wrong === undefined) return;
  console.error(`${command} has no ${wrong}. Usage: ${usage}`);
  process.exit(2);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (isOld) {
    throw new Obstacle(
      `Node ${OLDEST_NODE.join('.')} or later is needed, this is ${process.versions.node}: install a current one from https://nodejs.org`,
    );
  }
}

function checkDisk(bytes) {
  const { bavail, bsize } = statfsSync(ROOT);
  if (bavail * bsize < bytes) {
    throw new Obstacle(`${(bytes / 1e9).toFixed(1)} GB of free disk are needed in ${ROOT}: make room and try again`);
  }
}

/** Covers every file that determines what is installed. */
function installFingerprint() {
  const manifests = ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => join(folder, name, 'package.json')),
  );
  const hash = createHash('sha256');
  for (const path of [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'tools/trim-drizzle.mjs',
    ...readdirSync(join(ROOT, 'patches')).map((name) => join('patches', name)),
    ...manifests.sort(),
  ]) {
    if (existsSync(join(ROOT, path))) hash.update(path).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest('hex');
}

const stampFile = join(ROOT, 'node_modules', '.installed');
const node = join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

function isInstalled(fingerprint) {
  return existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint;
}

async function install(fingerprint) {
  const local = join(ROOT, '.local');
  mkdirSync(local, { recursive: true });
  await withLock(join(local, 'install.lock'), async () => {
    if (isInstalled(fingerprint)) return; // Another command installed them while this one waited.
    console.log('Installing packages (about a minute the first time) …');
    const started = performance.now();
    const logFile = join(local, 'install.log');
    const code = await runPnpm(['install', '--frozen-lockfile'], logFile);
    if (code !== 0) {
      console.error(readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n'));
      const log = readFileSync(logFile, 'utf8');
      throw new Obstacle(
        log.includes('OUTDATED_LOCKFILE')
          ? `The lockfile does not fit a package.json: run "npx -y ${PNPM} install" and commit pnpm-lock.yaml`
          : `Installing failed; read ${logFile}, check that the package registry can be reached, and try again`,
      );
    }
    writeFileSync(stampFile, fingerprint);
    console.log(`Packages installed in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  });
}

function runPnpm(args, logFile) {
  rmSync(logFile, { force: true });
  const output = openSync(logFile, 'a');
  return new Promise((done) => {
    const command = process.platform === 'win32' ? 'npx.cmd' : 'npx';
    const child = spawn(command, ['-y', PNPM, ...args], {
      cwd: ROOT,
      stdio: ['ignore', output, output],
      // CI: pnpm asks no questions. NODE_ENV=production would leave the tools out.
      env: { ...process.env, CI: 'true', NODE_ENV: '' },
      shell: process.platform === 'win32',
    });
    child.on('error', () => done(1));
    child.on('exit', (code) => done(code ?? 1));
  }).finally(() => closeSync(output));
}

function handOver(entry, given) {
  const path = [join(ROOT, 'node_modules', '.bin'), process.env.PATH].filter(Boolean).join(delimiter);
  const child = spawn(node, [join(ROOT, entry), ...given], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node'), ...process.env, PATH: path },
    shell: process.platform === 'win32',
  });
  // A terminal signals the whole group; a process manager signals only this process.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  return new Promise(() => {
    child.on('error', (error) => {
      console.error(`The pinned Node can't be started (${error.message}): remove node_modules and try again`);
      process.exit(1);
    });
    child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}
