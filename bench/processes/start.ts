import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FromProcess, type Seen, type Usage } from './messages.ts';

/** A process of a bench: a bank, a receiver, one of the bare path. */
export type BenchProcess = {
  readonly url: string;
  readonly pid: number;
  /** Everything that it saw before this question has been passed to `onSeen` when this resolves. */
  usage(): Promise<Usage>;
  stop(): void;
};

const PROGRAMS = {
  bank: new URL('bank.ts', import.meta.url),
  receiver: new URL('receiver.ts', import.meta.url),
  'bare-gateway': new URL('../bare/gateway.ts', import.meta.url),
  'bare-payments': new URL('../bare/payments.ts', import.meta.url),
} as const;

/** Starts one and waits until it listens. @throws Error if it ends before */
export async function startBenchProcess(
  name: keyof typeof PROGRAMS,
  env: Readonly<Record<string, string>> = {},
  onSeen: (seen: Seen) => void = () => undefined,
): Promise<BenchProcess> {
  const child = fork(fileURLToPath(PROGRAMS[name]), { env: { ...process.env, ...env } });
  const listening = Promise.withResolvers<string>();
  const asked: ((usage: Usage) => void)[] = [];
  child.on('message', (raw) => {
    const message = FromProcess.parse(raw);
    if (message.kind === 'listening') listening.resolve(message.url);
    else if (message.kind === 'usage') asked.shift()?.(message.usage);
    else for (const one of message.seen) onSeen(one);
  });
  child.on('exit', (code) => {
    listening.reject(new Error(`${name} ended with ${String(code)}`));
  });
  return {
    url: await listening.promise,
    pid: child.pid ?? 0,
    usage: () =>
      new Promise((resolve) => {
        asked.push(resolve);
        child.send('usage');
      }),
    stop: () => {
      child.kill();
    },
  };
}
