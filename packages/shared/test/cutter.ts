import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { clientMessages } from '../../../tools/testing/client-messages.ts';

/**
 * Tells of what a connection sends whether it commits something: a COMMIT, or the Sync behind statements that write, which is
 * the commit of a transaction that is sent whole.
 */
function commitsOf(): (bytes: Buffer) => boolean {
  const writing = new Set<string>();
  let isOpen = false;
  let hasWritten = false;
  return (bytes) => {
    let commits = false;
    for (const { type, text } of clientMessages(bytes)) {
      const [first = '', second = ''] = text.split('\0');
      // Parse names a statement, Bind a portal and its statement.
      if (type === 'P' && /^(?:insert|update|delete)\b/i.test(second)) writing.add(first);
      if (type === 'B' && writing.has(second)) hasWritten = true;
      if (type === 'Q' && first.startsWith('begin')) isOpen = true;
      if ((type === 'Q' && first === 'commit') || (type === 'S' && hasWritten && !isOpen)) commits = true;
      if (type === 'S') hasWritten = false;
      if (type === 'Q' && /^(?:commit|rollback)$/.test(first)) isOpen = false;
    }
    return commits;
  };
}

/**
 * Between this process and PostgreSQL: cuts a connection at its next COMMIT, before it arrives or after it was done; and,
 * where it `staysAway`, refuses all others until it is told that it is there again.
 */
export async function startCutter(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const cutter = { cutNext: undefined as 'before' | 'after' | undefined, staysAway: false, isAway: false, cuts: 0 };
  const server = createServer((client) => {
    if (cutter.isAway) {
      client.destroy();
      return;
    }
    const server = connect({ host: hostname, port: Number(port) });
    let isCut = false;
    const isCommitting = commitsOf();
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (bytes) => {
      const commits = isCommitting(bytes);
      if (cutter.cutNext !== undefined && commits) {
        isCut = true;
        cutter.cuts += 1;
        cutter.isAway = cutter.staysAway;
        for (const other of cutter.isAway ? sockets : []) if (other !== client && other !== server) other.destroy();
        const when = cutter.cutNext;
        cutter.cutNext = undefined;
        if (when === 'before') {
          client.destroy();
          return;
        }
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (isCut) client.destroy();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { cutter, url: url.href, close };
}
