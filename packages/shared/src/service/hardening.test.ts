import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { exposures } from './hardening.ts';

const HARDENED = fileURLToPath(new URL('../../../../tools/hardened.sh', import.meta.url));
const HARDENING = fileURLToPath(new URL('./hardening.ts', import.meta.url));
const GOOD = ['--disable-sigusr1', '--disallow-code-generation-from-strings'];
const NO_CORE = 'Max core file size        0                    unlimited            bytes     \n';

/** What a process started by the script reports about itself. */
function started(script: string, env: NodeJS.ProcessEnv = {}): string {
  const { stdout, stderr } = spawnSync(HARDENED, [process.execPath, '--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout;
}

describe('tools/hardened.sh', () => {
  it('starts a process that has no exposure, whatever NODE_OPTIONS said before', () => {
    const script = `import { exposures } from ${JSON.stringify(HARDENING)}; console.log(exposures(process.env, process.execArgv));`;
    expect(started(script)).toBe('[]\n');
    expect(started(script, { NODE_OPTIONS: '--inspect-port=0' })).toBe("[ 'Node runs with --inspect-port' ]\n");
  });

  it('opens no inspector on SIGUSR1, and makes no code of text', () => {
    const script = `process.kill(process.pid, 'SIGUSR1'); await new Promise((r) => setTimeout(r, 300));
      const { url } = await import('node:inspector'); let made = 'made';
      try { new Function('return 1')(); } catch (error) { made = error.name; } console.log(url() ?? 'closed', made);`;
    expect(started(script)).toBe('closed EvalError\n');
  });
});

describe('exposures', () => {
  it.each([
    [[], NO_CORE, ['Node runs without --disable-sigusr1', 'Node runs without --disallow-code-generation-from-strings']],
    [[...GOOD, '--inspect=0.0.0.0:9229'], NO_CORE, ['Node runs with --inspect']],
    [[...GOOD, '--heapsnapshot-signal=SIGUSR2'], NO_CORE, ['Node runs with --heapsnapshot-signal']],
    [[...GOOD, '--heapsnapshot-near-heap-limit=1'], NO_CORE, ['Node runs with --heapsnapshot-near-heap-limit']],
    [GOOD, NO_CORE.replace(' 0 ', ' unlimited '), ['core dumps are not off (ulimit -c 0)']],
    [GOOD, NO_CORE, []],
  ])('of %j are found', (options, limits, found) => {
    expect(exposures({}, options, limits)).toEqual(found);
    expect(exposures({ NODE_OPTIONS: options.join(' ') }, [], limits)).toEqual(found);
  });
});
