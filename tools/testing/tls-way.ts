import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

type Certificate = { readonly key: Buffer; readonly cert: Buffer };

/** A test certificate authority, and a server's key and certificate issued by it for `localhost`. */
export type Authority = Certificate & {
  readonly caFile: string;
  /** A certificate for these names, and its key. */
  issue(names: readonly string[]): Certificate;
  remove(): void;
};

/** Created with openssl in a temporary folder. */
export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'pay-authority-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...ec, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test authority');
  const issue: Authority['issue'] = (names) => {
    const subject = `/CN=${names[0] ?? ''}`;
    openssl('req', '-new', ...ec.slice(0, -2), '-keyout', 'server.key', '-out', 'server.csr', '-subj', subject);
    writeFileSync(file('names'), `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`);
    const from = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
    openssl('x509', '-req', '-in', 'server.csr', ...from, '-out', 'server.pem');
    return { key: readFileSync(file('server.key')), cert: readFileSync(file('server.pem')) };
  };
  return {
    caFile: file('ca.pem'),
    ...issue(['localhost']),
    issue,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A proxy in front of the test's PostgreSQL or RabbitMQ that speaks TLS on the outer side. */
export type TlsWay = { readonly port: number; stop(): Promise<void> };

/** PostgreSQL's first message: eight bytes, of which the second four say "SSL, please". */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** `postgres`: TLS begins after PostgreSQL's request for it. A client that does not request it is disconnected. */
export async function startTlsWay(target: URL, { key, cert }: Authority, postgres: boolean): Promise<TlsWay> {
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    const secure = () => {
      const plain = new TLSSocket(near, { isServer: true, key, cert });
      const far = connect({ host: target.hostname, port: Number(target.port) });
      keep(plain);
      keep(far);
      plain.pipe(far).pipe(plain);
      plain.on('close', () => far.destroy());
      far.on('close', () => plain.destroy());
    };
    if (!postgres) {
      secure();
      return;
    }
    near.once('data', (first: Buffer) => {
      if (!first.equals(SSL_REQUEST)) near.destroy();
      else near.write('S', secure);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

/** The same database through the proxy, verified against the authority. */
export function throughTls(databaseUrl: string, way: TlsWay, { caFile }: Authority): string {
  const url = new URL(databaseUrl);
  url.host = `localhost:${String(way.port)}`;
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', caFile);
  return url.href;
}
