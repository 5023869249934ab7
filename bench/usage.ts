import { readdirSync, readFileSync } from 'node:fs';

/** What a group of processes used. Linux only: it is read from `/proc`. */
export type Usage = { readonly cpuMs: number; readonly residentMiB: number };
type Groups = ReadonlyMap<number, string>;

/** A tick of `/proc/<pid>/stat`: 100 a second on every Linux that Node supports. */
const TICK_MS = 10;
const PAGE_MIB = 4 / 1_024;

/** Counts the processor time, user and system, of these groups from now on: for each, by the time of the call. */
export function watchUsage(groups: () => Groups): () => ReadonlyMap<string, Usage> {
  const before = new Map([...groups().keys()].map((pid) => [pid, usageOf(pid)?.cpuMs ?? 0]));
  return () => {
    const used = new Map<string, Usage>();
    for (const [pid, group] of groups()) {
      const usage = usageOf(pid);
      if (usage === undefined) continue;
      const { cpuMs, residentMiB } = used.get(group) ?? { cpuMs: 0, residentMiB: 0 };
      used.set(group, {
        cpuMs: cpuMs + usage.cpuMs - (before.get(pid) ?? 0),
        residentMiB: residentMiB + usage.residentMiB,
      });
    }
    return used;
  };
}

/** The processes of the bench's PostgreSQL, by the role they work for, and of its RabbitMQ. */
export function serversOf(marks: readonly string[]): Groups {
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  const isMarked = (text: string) => marks.some((mark) => text.includes(mark));
  const marked = new Set(all.filter((pid) => isMarked(read(pid, 'cmdline')) || isMarked(read(pid, 'cgroup'))));
  const parentOf = (pid: number) => Number(fieldsOf(pid)?.[1]);
  return new Map(all.filter((pid) => marked.has(pid) || marked.has(parentOf(pid))).map((pid) => [pid, groupOf(pid)]));
}

function groupOf(pid: number): string {
  const command = read(pid, 'cmdline');
  const [, role] = /^postgres: (notifier|payments|bindings|withdrawals|gateway|console|sandbox_bank)/.exec(command) ?? [];
  if (role !== undefined) return `PostgreSQL for ${role}`;
  return command.includes('postgres') ? 'PostgreSQL itself' : 'RabbitMQ';
}

/** A file of `/proc/<pid>`; empty for a process that has ended. */
function read(pid: number, file: 'cmdline' | 'cgroup' | 'stat'): string {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function usageOf(pid: number): Usage | undefined {
  const fields = fieldsOf(pid);
  if (fields === undefined) return undefined;
  const [user = 0, system = 0, resident = 0] = [11, 12, 21].map((field) => Number(fields[field]));
  return { cpuMs: (user + system) * TICK_MS, residentMiB: resident * PAGE_MIB };
}

/** The fields of `/proc/<pid>/stat` from the state on; undefined for a process that has ended. */
function fieldsOf(pid: number): readonly string[] | undefined {
  const stat = read(pid, 'stat');
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
