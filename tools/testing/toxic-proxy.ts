import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The faults of a connection, in both directions; none by default. */
export type Toxics = {
  /** Every byte arrives this much later. */
  readonly latencyMs?: number;
  /** At most this many bytes pass per second, in each direction of a connection. */
  readonly bytesPerSecond?: number;
  /** Nothing passes, and nobody is notified; what is sent in the meantime arrives when this ends. */
  readonly frozen?: true;
  /** New connections are refused, because nothing listens. Open ones stay open. */
  readonly refusing?: true;
  /** Whether the connection is reset instead of passing this chunk on towards the server. */
  readonly resetsOn?: (chunk: Buffer) => boolean;
};

/** A proxy to a server, on its own port, that can inject faults. */
export type ToxicProxy = {
  readonly port: number;
  /** Replaces the current faults. */
  set(toxics: Toxics): Promise<void>;
  /** Resets every open connection. */
  reset(): void;
  /** Open connections silently lead nowhere from now on: as if the other machine were gone. */
  abandon(): void;
  close(): Promise<void>;
};

/** How much may be buffered in one direction before the sender has to wait. */
const WAITING_BYTES_MAX = 1024 * 1024;
/** How often a throttled connection passes data on. */
const TICK_MS = 50;

/** Listens on a loopback port. `target` is evaluated for each connection: a server may come later, or move. */
export async function startToxicProxy(target: () => { host: string; port: number }): Promise<ToxicProxy> {
  let toxics: Toxics = {};
  const ways = new Set<Way>();
  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;

  function listen(on: number): Promise<Server> {
    const listener = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ ...target(), allowHalfOpen: true });
      const way = openWay(near, far, () => toxics);
      ways.add(way);
      near.on('close', () => ways.delete(way));
    });
    return new Promise((resolve) =>
      listener.listen(on, '127.0.0.1', () => {
        resolve(listener);
      }),
    );
  }
  const shut = () => {
    server?.close();
    server = undefined;
  };
  return {
    port,
    async set(next) {
      toxics = next;
      if (next.refusing === true) shut();
      else server ??= await listen(port);
      for (const way of ways) way.goOn();
    },
    reset() {
      for (const way of ways) way.reset();
    },
    abandon() {
      for (const way of ways) way.abandon();
    },
    close() {
      shut();
      for (const way of ways) way.reset();
      return Promise.resolve();
    },
  };
}

type Way = { goOn(): void; reset(): void; abandon(): void };

function openWay(near: Socket, far: Socket, toxics: () => Toxics): Way {
  let isAbandoned = false;
  const reset = () => {
    for (const socket of [near, far]) if (!socket.destroyed) socket.resetAndDestroy();
  };
  const isStill = () => isAbandoned || toxics().frozen === true;
  const there = passOn(near, far, toxics, isStill, (chunk) => toxics().resetsOn?.(chunk) === true && (reset(), true));
  const back = passOn(far, near, toxics, isStill, () => false);
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    socket.on('error', () => {
      if (!isAbandoned) other.resetAndDestroy();
    });
    socket.on('close', () => {
      if (!isAbandoned && !other.writableEnded) other.destroy();
    });
  }
  return {
    goOn: () => {
      there.goOn();
      back.goOn();
    },
    reset,
    abandon: () => {
      isAbandoned = true;
    },
  };
}

/** One direction of a connection. */
function passOn(
  from: Socket,
  to: Socket,
  toxics: () => Toxics,
  isStill: () => boolean,
  isTaken: (chunk: Buffer) => boolean,
): { goOn: () => void } {
  const waiting: { chunk: Buffer; dueAt: number }[] = [];
  let waitingBytes = 0;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const later = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      goOn();
    }, ms);
  };
  const goOn = (): void => {
    if (isStill() || to.destroyed) return;
    const { bytesPerSecond } = toxics();
    let allowance = bytesPerSecond === undefined ? Infinity : Math.max(1, (bytesPerSecond * TICK_MS) / 1_000);
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const early = first.dueAt - performance.now();
      if (early > 0) {
        later(early);
        return;
      }
      if (allowance < 1) {
        later(bytesPerSecond === undefined ? 0 : Math.max(TICK_MS, 1_000 / bytesPerSecond));
        return;
      }
      const part = first.chunk.subarray(0, Math.min(first.chunk.length, allowance));
      if (part.length === first.chunk.length) waiting.shift();
      else first.chunk = first.chunk.subarray(part.length);
      allowance -= part.length;
      waitingBytes -= part.length;
      to.write(part);
    }
    if (hasEnded && !to.writableEnded) to.end();
    if (waitingBytes < WAITING_BYTES_MAX) from.resume();
  };
  from.on('data', (chunk: Buffer) => {
    if (isTaken(chunk)) return;
    waiting.push({ chunk, dueAt: performance.now() + (toxics().latencyMs ?? 0) });
    waitingBytes += chunk.length;
    if (waitingBytes >= WAITING_BYTES_MAX) from.pause();
    if (timer === undefined) goOn();
  });
  from.on('end', () => {
    hasEnded = true;
    if (timer === undefined) goOn();
  });
  from.on('close', () => {
    clearTimeout(timer);
  });
  return { goOn };
}
