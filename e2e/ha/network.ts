import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The hosts of the reference configuration. Programs of ours run beside them, where 127.0.0.1 is the drill's own. */
export const HOSTS = ['etcd-1', 'etcd-2', 'etcd-3', 'db-1', 'db-2', 'db-3', 'mq-1', 'mq-2', 'mq-3', 'pool-1', 'pool-2'] as const;
export type Host = (typeof HOSTS)[number];

/** The first address is that of our programs' side of the switch. */
const addressOf = (host: Host): string => `10.77.0.${String(11 + HOSTS.indexOf(host))}`;
/** The switch's port of a host. A device's name has 15 characters at most. */
const portOf = (host: Host): string => `to-${host}`;

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const ip = (line: string): string => run('ip', ...line.split(' '));

/**
 * Makes this process's own `/etc` (a copy on write in memory, with the hosts' names) and `/run`, and a network of
 * hosts, each a network namespace at one switch. Only inside namespaces of its own: all of it ends with them.
 */
export function makeNetwork(folder: string): void {
  ip('link set lo up');
  run('mount', '-t', 'tmpfs', 'none', '/run');
  const etc = join(folder, 'etc');
  mkdirSync(etc);
  run('mount', '-t', 'tmpfs', 'none', etc);
  for (const layer of ['upper', 'work']) mkdirSync(join(etc, layer));
  const layers = `lowerdir=/etc,upperdir=${join(etc, 'upper')},workdir=${join(etc, 'work')}`;
  run('mount', '-t', 'overlay', 'overlay', '-o', layers, '/etc');
  const names = HOSTS.map((host) => `${addressOf(host)} ${host}\n`).join('');
  appendFileSync('/etc/hosts', `\n${names}127.0.0.1 primary pooler broker\n`);
  ip('link add switch type bridge');
  ip('address add 10.77.0.1/24 dev switch');
  ip('link set switch up');
  for (const host of HOSTS) {
    ip(`netns add ${host}`);
    ip(`link add ${portOf(host)} type veth peer name eth0 netns ${host}`);
    ip(`link set ${portOf(host)} master switch up`);
    ip(`-n ${host} address add ${addressOf(host)}/24 dev eth0`);
    ip(`-n ${host} link set eth0 up`);
    ip(`-n ${host} link set lo up`);
  }
}

/** The command that runs a program on a host. */
export const onHost = (host: Host, ...command: readonly string[]): readonly string[] => ['nsenter', `--net=/run/netns/${host}`, ...command];

/** The numbers of all processes on a host. */
export const processesOn = (host: Host): number[] => ip(`netns pids ${host}`).split('\n').filter(Boolean).map(Number);

/** From now on nothing passes between this host and those, in either direction and without a word. */
export function cut(host: Host, others: readonly Host[]): void {
  for (const other of others) {
    ip(`-n ${host} route add blackhole ${addressOf(other)}/32`);
    ip(`-n ${other} route add blackhole ${addressOf(host)}/32`);
  }
}

/** Undoes `cut`. */
export function mend(host: Host, others: readonly Host[]): void {
  for (const other of others) {
    ip(`-n ${host} route del blackhole ${addressOf(other)}/32`);
    ip(`-n ${other} route del blackhole ${addressOf(host)}/32`);
  }
}
