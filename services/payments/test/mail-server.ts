import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { createAuthority } from '../../../tools/testing/tls-way.ts';

/** A letter as the mail server took it. */
export type Received = { readonly from: string; readonly to: readonly string[]; readonly source: string };

type Step = 'from' | 'to' | 'data';
/** The SMTP reply to a step, if it is not 250. */
type Refusals = Partial<Record<Step, { readonly code: number; readonly text: string }>>;

export type MailServer = {
  /** With a user and a password. */
  readonly url: string;
  /** What trusts its certificate. */
  readonly tls: { readonly ca: Buffer };
  /** What it took, oldest first. */
  readonly received: Received[];
  /** What it answers from now on. */
  refuse(refusals: Refusals): void;
  /** Runs after a letter was taken and before the server says so. */
  beforeAnswer(run: () => Promise<void>): void;
  /** Breaks every connection, without a word. */
  breakConnections(): void;
  stop(): Promise<void>;
};

/** A real SMTP server with STARTTLS, a password and a certificate for localhost. */
export async function startMailServer({ hasTls = true } = {}): Promise<MailServer> {
  const authority = createAuthority();
  const received: Received[] = [];
  let refusals: Refusals = {};
  let beforeAnswer = () => Promise.resolve();
  const refusalAt = (step: Step): Error | null => {
    const refusal = refusals[step];
    return refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code });
  };
  const server = new SMTPServer({
    key: authority.key,
    cert: authority.cert,
    ...(hasTls ? {} : { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'pay' && password === 'p@ss') done(null, { user: 'pay' });
      else done(Object.assign(new Error('5.7.8 no such user'), { responseCode: 535 }));
    },
    onMailFrom: (_address, _session, done) => {
      done(refusalAt('from'));
    },
    onRcptTo: (_address, _session, done) => {
      done(refusalAt('to'));
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal = refusalAt('data');
        if (refusal !== null) {
          done(refusal);
          return;
        }
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, source: Buffer.concat(chunks).toString() });
        void beforeAnswer().then(() => {
          done(null);
        });
      });
    },
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // A client that does not trust us ends the connection.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const ca = readFileSync(authority.caFile);
  return {
    url: `smtp://pay:p%40ss@localhost:${String(port)}`,
    tls: { ca },
    received,
    refuse(now) {
      refusals = now;
    },
    beforeAnswer(run) {
      beforeAnswer = run;
    },
    breakConnections() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
      authority.remove();
    },
  };
}

/** The text part of a letter's source, decoded. */
export function textOf({ source }: Received): string {
  const [, part = ''] = /Content-Type: text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(source) ?? [];
  const isBase64 = /Content-Type: text\/plain[^]*?Content-Transfer-Encoding: base64/.test(source);
  if (isBase64) return Buffer.from(part, 'base64').toString();
  const bytes = part
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
