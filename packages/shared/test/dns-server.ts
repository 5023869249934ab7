import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server's answer to one question: addresses (none: the name has no records of this type), an error, or nothing. */
export type DnsAnswer = { readonly addresses: readonly string[] } | 'SERVFAIL' | 'NXDOMAIN' | 'SILENCE';

export type DnsServer = {
  /** For `Resolver.setServers`. */
  readonly server: string;
  /** Questions so far, as `A name` or `AAAA name`. */
  readonly questions: readonly string[];
  close(): Promise<void>;
};

const TYPE_A = 1;
const TYPE_AAAA = 28;

/**
 * The test's own DNS server (RFC 1035, over UDP): answers A questions as `answer` says, and AAAA questions with no
 * records.
 */
export async function startDnsServer(answer: (name: string, questionNumber: number) => DnsAnswer): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  let aCount = 0;
  socket.on('message', (query, asker) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${type === TYPE_AAAA ? 'AAAA' : 'A'} ${name}`);
    if (type === TYPE_A) aCount += 1;
    const said = type === TYPE_A ? answer(name, aCount) : { addresses: [] };
    if (said === 'SILENCE') return;
    socket.send(writeAnswer(query, end, said), asker.port, asker.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${String(socket.address().port)}`,
    questions,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeAnswer(query: Buffer, questionEnd: number, said: Exclude<DnsAnswer, 'SILENCE'>): Buffer {
  const code = said === 'SERVFAIL' ? 2 : said === 'NXDOMAIN' ? 3 : 0;
  const addresses = typeof said === 'string' ? [] : said.addresses;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  // Each record: a pointer to the question's name, type A, class IN, TTL 0, four bytes.
  const records = addresses.map((address) =>
    Buffer.concat([Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4]), Buffer.from(address.split('.').map(Number))]),
  );
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records]);
}
