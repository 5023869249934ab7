import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';

/** A shell in a folder, as somebody has it open. It has these variables, and nothing else of this environment. */
export function openTerminal(folder: string, env: Readonly<Record<string, string>>) {
  // A process group of its own: what was started in the background ends with it.
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env, detached: true, stdio: 'pipe' });
  const closed = once(shell, 'close');
  let output = '';
  let wake: () => void = () => undefined;
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      wake();
    });
  }
  shell.on('close', () => {
    wake();
  });
  shell.stdin.write('exec 2>&1\n');
  return {
    /** Types a command, and returns what it printed. @throws Error if it ended the shell. */
    async type(command: string): Promise<string> {
      const mark = `-- ${randomUUID()}`;
      output = '';
      shell.stdin.write(`{ ${command}\n} </dev/null\necho '${mark}'\n`);
      for (;;) {
        const end = output.indexOf(mark);
        if (end !== -1) return output.slice(0, end).trimEnd();
        if (shell.exitCode !== null) throw new Error(`the shell ended at ${command}: ${output}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async close(): Promise<void> {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
      await closed;
    },
  };
}
