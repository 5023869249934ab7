import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A partner's server. */
export type BenchReceiver = { readonly url: string; close(): void };

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** Answers 200 at once and reports who arrived. Parses as little HTTP as possible: it shares the measured cores. */
export async function startHealthy(onArrival: (body: Buffer) => void): Promise<BenchReceiver> {
  return listen((socket) => {
    let unread = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (let request = nextRequest(unread); request !== undefined; request = nextRequest(unread)) {
        onArrival(request.body);
        unread = unread.subarray(request.length);
        socket.write(OK);
      }
    });
  });
}

function nextRequest(bytes: Buffer): { readonly body: Buffer; readonly length: number } | undefined {
  const headers = bytes.indexOf('\r\n\r\n') + 4;
  if (headers < 4) return undefined;
  const [, announced] = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, headers)) ?? [];
  const length = headers + Number(announced ?? 0);
  return bytes.length < length ? undefined : { body: bytes.subarray(headers, length), length };
}

/** Accepts connections and hangs, or resets them. */
export async function startBad(what: 'hangs' | 'resets'): Promise<BenchReceiver> {
  return listen((socket) => {
    socket.on('data', () => {
      if (what === 'resets') socket.resetAndDestroy();
    });
  });
}

async function listen(onConnection: (socket: Socket) => void): Promise<BenchReceiver> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
