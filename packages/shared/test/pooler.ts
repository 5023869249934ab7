import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Behaviours of poolers that break clients made for PostgreSQL itself. */
type Habits = {
  /** As PgBouncer by default: refuses `statement_timeout` as a startup parameter. */
  readonly takesNoSettings?: boolean;
  /** As in transaction mode: notifications for a session reach nobody. */
  readonly dropsNotifications?: boolean;
  /** As PgBouncer since 1.21: renames prepared statements. */
  readonly renamesStatements?: boolean;
  /** As a router that runs each statement by itself, wherever the client has its Sync. */
  readonly splitsTransactions?: boolean;
  /** As PgBouncer in statement mode: a session is lent for one statement, so that `begin` is refused. */
  readonly refusesBegin?: boolean;
};

export type Pooler = { readonly url: string; stop(): Promise<void> };

const SSL_REQUEST = 80_877_103;
const NOTIFICATION = 'A';

/** A proxy in front of the PostgreSQL of `url` with these behaviours. User, database and password are the same. */
export async function startPooler(url: string, habits: Habits, port = 0): Promise<Pooler> {
  const target = new URL(url);
  const [host, itsPort] = [target.hostname, Number(target.port)];
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ host, port: itsPort });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
    }
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    let isStarted = false;
    const middle = habits.splitsTransactions === true ? splitting(near, far) : plainly(near, far);
    eachMessage(
      near,
      () => isStarted,
      (message) => {
        if (!isStarted) {
          if (message.readInt32BE(4) === SSL_REQUEST) {
            near.write('N');
            return;
          }
          isStarted = true;
          if (habits.takesNoSettings === true && message.includes('statement_timeout')) {
            near.end(refusal('unsupported startup parameter: statement_timeout'));
            return;
          }
        }
        if (habits.refusesBegin === true && isBegin(message)) {
          near.end(refusal('transaction blocks not allowed in statement pooling mode'));
          return;
        }
        middle.send(habits.renamesStatements === true ? renamed(message) : message);
      },
    );
    eachMessage(
      far,
      () => true,
      (message) => {
        if (habits.dropsNotifications === true && typeOf(message) === NOTIFICATION) return;
        middle.answer(message);
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  target.host = '127.0.0.1';
  target.port = String((server.address() as AddressInfo).port);
  return {
    url: target.href,
    stop: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

/** What passes on a client's messages, and the answers to them. */
type Middle = { readonly send: (message: Buffer) => void; readonly answer: (message: Buffer) => void };

const plainly = (near: Socket, far: Socket): Middle => ({
  send: (message) => far.write(message),
  answer: (message) => near.write(message),
});

const SYNC = Buffer.from('S\0\0\0\x04', 'latin1');

/** Puts a Sync behind each Execute and waits for its answer, which the client does not see. After an error it drops the rest. */
function splitting(near: Socket, far: Socket): Middle {
  const waiting: Buffer[] = [];
  /** Whose Sync is not answered yet. */
  let syncOf: 'client' | 'split' | undefined;
  let hasFailed = false;
  const pass = (message: Buffer) => {
    const type = typeOf(message);
    const isEnd = type === 'S' || type === 'Q';
    if (hasFailed && !isEnd) return;
    far.write(type === 'E' ? Buffer.concat([message, SYNC]) : message);
    if (isEnd) syncOf = 'client';
    else if (type === 'E') syncOf = 'split';
  };
  const pump = () => {
    while (syncOf === undefined) {
      const message = waiting.shift();
      if (message === undefined) return;
      pass(message);
    }
  };
  return {
    send: (message) => {
      waiting.push(message);
      pump();
    },
    answer: (message) => {
      const type = typeOf(message);
      if (type === 'E') hasFailed = true;
      if (type !== 'Z' || syncOf !== 'split') near.write(message);
      if (type !== 'Z') return;
      if (syncOf === 'client') hasFailed = false;
      syncOf = undefined;
      pump();
    },
  };
}

const isBegin = (message: Buffer): boolean => ['P', 'Q'].includes(typeOf(message)) && message.toString('latin1').includes('begin');

const typeOf = (message: Buffer): string => message.toString('latin1', 0, 1);

/** Splits a stream into PostgreSQL messages: a type and a length, except the first ones, which have no type. */
function eachMessage(socket: Socket, isTyped: () => boolean, take: (message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const offset = isTyped() ? 1 : 0;
      if (rest.length < offset + 4) return;
      const end = offset + rest.readInt32BE(offset);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      take(message);
    }
  });
}

/** An ErrorResponse. */
function refusal(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Where a message contains the name of a prepared statement; undefined if it has none. */
function nameAt(message: Buffer): number | undefined {
  if (typeOf(message) === 'P') return 5;
  // Follows the portal's name.
  if (typeOf(message) === 'B') return message.indexOf(0, 5) + 1;
  const isStatement = ['C', 'D'].includes(typeOf(message)) && message.toString('latin1', 5, 6) === 'S';
  return isStatement ? 6 : undefined;
}

function renamed(message: Buffer): Buffer {
  const at = nameAt(message);
  if (at === undefined || message[at] === 0) return message;
  const prefix = Buffer.from('pooler_');
  const changed = Buffer.concat([message.subarray(0, at), prefix, message.subarray(at)]);
  changed.writeInt32BE(message.readInt32BE(1) + prefix.length, 1);
  return changed;
}
