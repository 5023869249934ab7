import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The first example of the README in a language, word for word. */
export function firstExample(readme: string, language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(readme) ?? [];
  if (code === undefined) throw new Error('the README has no example');
  return code;
}

/** The first example below a heading of the README. */
export function exampleUnder(heading: string, readme: string, language: string): string {
  const [, section] = readme.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`the README has no heading ${heading}`);
  return firstExample(section, language);
}

/** Runs a program of a folder with these variables, and nothing else of this environment. */
export function startExample(program: string, given: readonly string[], folder: string, env: Readonly<Record<string, string>>) {
  const child = spawn(program, [...given], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let output = '';
  const waiting: (() => void)[] = [];
  const wakeAll = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      wakeAll();
    });
  }
  void closed.then(wakeAll);
  return {
    /** Waits until the program has printed this. @throws Error with its output when it ends before. */
    async printed(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const match = pattern.exec(output);
        if (match !== null) return match;
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the example ended: ${output}`);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
      child.kill(signal);
      await closed;
    },
  };
}
