import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './folders.ts';
import { programOnPath } from './programs.ts';

/** What a command prints where nothing is on the path, and how it ends. */
function withoutPrograms(entry: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, entry)], {
    env: { PATH: '/nowhere' },
    encoding: 'utf8',
  });
  return { status, lines: `${stdout}${stderr}`.trimEnd().split('\n') };
}

describe('a command that lacks a program says so in one line', () => {
  it.each([
    ['test:alerts', 'tools/monitoring/main.ts', 'promtool', /^prometheus: missing, .* install them yourself$/],
    ['test:chart', 'tools/chart/main.ts', 'helm', /^helm is missing: go install /],
    ['test:monitoring', 'e2e/monitoring/main.ts', 'prometheus', /^prometheus: missing, /],
    ['test:cells', 'e2e/cells/main.ts', 'haproxy', /^haproxy: missing, /],
    ['test:update', 'e2e/update/main.ts', 'git', /^git: missing, /],
    ['drill:restore', 'e2e/restore/main.ts', 'pgbackrest', /^pgbackrest: missing, /],
    ['test:ha', 'e2e/ha/main.ts', 'setpriv', /^(?:util-linux: missing, |test:ha needs Linux and root)/],
  ])('%s', (_command, entry, program, line) => {
    // A folder that is searched in any case has it: the command would begin.
    if (/^\/(?:usr\/)?sbin\//.test(programOnPath(program) ?? '')) return;
    const { status, lines } = withoutPrograms(entry);
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(status).not.toBe(0);
  });
});
