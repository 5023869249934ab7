import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { chmodSync, closeSync, rmSync, writeFileSync } from 'node:fs';
import { programOnPath } from './programs.ts';

/** Whether packages can be installed here without asking anybody: root on a Debian-family system. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && programOnPath('apt-get') !== undefined;
}

const POLICY = '/usr/sbin/policy-rc.d';

/**
 * Installs Debian packages without starting their services: we run private instances. The package manager's output goes
 * to `logFile`.
 */
export async function installPackages(packages: readonly string[], logFile: string): Promise<void> {
  const guarded = existsSync(POLICY);
  if (!guarded) {
    // Called by every package that wants to start its service; 101 means "no".
    writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { flag: 'wx' });
    chmodSync(POLICY, 0o755);
  }
  try {
    const install = ['install', '-y', '-q', '--no-install-recommends', ...packages];
    if (await aptGet(install, logFile)) return;
    // The package lists may be missing or outdated.
    if ((await aptGet(['update', '-q'], logFile)) && (await aptGet(install, logFile))) return;
    throw new Error(`apt-get could not install ${packages.join(', ')}; see ${logFile}`);
  } finally {
    if (!guarded) rmSync(POLICY, { force: true });
  }
}

/** True if it succeeded. Waits up to a minute for another package manager to finish. */
function aptGet(args: readonly string[], logFile: string): Promise<boolean> {
  const output = openSync(logFile, 'a');
  return new Promise<boolean>((resolve) => {
    const child = spawn('apt-get', ['-o', 'DPkg::Lock::Timeout=60', ...args], {
      stdio: ['ignore', output, output],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    child.on('error', () => {
      resolve(false);
    });
    child.on('exit', (code) => {
      resolve(code === 0);
    });
  }).finally(() => {
    closeSync(output);
  });
}
