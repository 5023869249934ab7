import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A partner's server that is not well: it accepts connections and hangs, or resets them. */
export async function startBad(what: 'hangs' | 'resets'): Promise<{ readonly url: string; stop(): void }> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', () => {
      if (what === 'resets') socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    stop: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
