// A healthy partner's server: answers 200 at once and reports who arrived. Parses as little HTTP as possible: it shares
// the machine with what is measured.
import { createServer } from 'node:net';
import { machineMs } from '../load.ts';
import { listening } from './listening.ts';
import { reportToParent } from './report.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

const report = reportToParent();
const server = createServer({ noDelay: true }, (socket) => {
  let unread = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    unread = Buffer.concat([unread, chunk]);
    for (let request = nextRequest(unread); request !== undefined; request = nextRequest(unread)) {
      const [, id = ''] = /"orderId": ?"([0-9a-f-]{36})"/.exec(request.body) ?? [];
      report({ what: 'callback', id, atMs: machineMs(), tookMs: 0 });
      unread = unread.subarray(request.length);
      socket.write(OK);
    }
  });
});
listening(server);

function nextRequest(bytes: Buffer): { readonly body: string; readonly length: number } | undefined {
  const headers = bytes.indexOf('\r\n\r\n') + 4;
  if (headers < 4) return undefined;
  const [, announced] = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, headers)) ?? [];
  const length = headers + Number(announced ?? 0);
  return bytes.length < length ? undefined : { body: bytes.toString('latin1', headers, length), length };
}
