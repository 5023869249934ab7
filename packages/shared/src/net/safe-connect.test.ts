import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { startDnsServer, type DnsAnswer } from '../../test/dns-server.ts';
import { publicResolver, safeConnector } from './safe-connect.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function dns(answer: (name: string, questionNumber: number) => DnsAnswer) {
  const server = await startDnsServer(answer);
  closing.push(() => server.close());
  return server;
}

describe('publicResolver', () => {
  it('refuses a name when any of its addresses is not public (H05, H06)', async () => {
    const { server } = await dns(() => ({ addresses: ['8.8.8.8', '10.0.0.1'] }));
    await expect(publicResolver({ allowPrivate: false, dnsServers: [server] })('shop.example')).rejects.toMatchObject({
      code: 'ADDRESS_NOT_PUBLIC',
    });
  });

  it('gives the public addresses of a public name', async () => {
    const { server } = await dns(() => ({ addresses: ['8.8.8.8', '1.1.1.1'] }));
    const addresses = await publicResolver({ allowPrivate: false, dnsServers: [server] })('shop.example');
    expect(addresses.map(({ address }) => address).sort()).toEqual(['1.1.1.1', '8.8.8.8']);
  });

  it.each([['SERVFAIL'], ['NXDOMAIN']] as const)('%s is "not resolved" (H24)', async (said) => {
    const { server } = await dns(() => said);
    await expect(publicResolver({ allowPrivate: false, dnsServers: [server] })('shop.example')).rejects.toMatchObject({
      code: 'NAME_NOT_RESOLVED',
    });
  });

  it('a silent name server ends in bounded time (H24)', async () => {
    const { server } = await dns(() => 'SILENCE');
    await expect(publicResolver({ allowPrivate: false, dnsServers: [server] })('shop.example')).rejects.toMatchObject({
      code: 'NAME_NOT_RESOLVED',
    });
  });

  it.each([['127.0.0.1'], ['[::1]'], ['localhost'], ['x.localhost'], ['169.254.169.254']])(
    '%s is refused without a question',
    async (host) => {
      const { server, questions } = await dns(() => ({ addresses: ['8.8.8.8'] }));
      await expect(publicResolver({ allowPrivate: false, dnsServers: [server] })(host)).rejects.toMatchObject({
        code: 'ADDRESS_NOT_PUBLIC',
      });
      expect(questions).toEqual([]);
    },
  );

  it('allows this machine with allowPrivate, and never a metadata address', async () => {
    const resolve = publicResolver({ allowPrivate: true });
    await expect(resolve('localhost')).resolves.toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    await expect(resolve('169.254.169.254')).rejects.toMatchObject({ code: 'ADDRESS_NOT_PUBLIC' });
  });
});

describe('safeConnector', () => {
  async function localServer(address = '127.0.0.1'): Promise<{ port: number; hosts: string[] }> {
    const hosts: string[] = [];
    const server: Server = createServer((req, res) => {
      hosts.push(req.headers.host ?? '');
      res.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    return { port: (server.address() as AddressInfo).port, hosts };
  }

  function agentFor(rules: Parameters<typeof publicResolver>[0]): Agent {
    const agent = new Agent({ connect: safeConnector(rules) });
    closing.push(() => agent.destroy());
    return agent;
  }

  it('a name that was public a moment ago and is private at the connect is not called (H12)', async () => {
    const { port, hosts } = await localServer();
    const { server } = await dns((_name, number) => ({ addresses: number === 1 ? ['8.8.8.8'] : ['127.0.0.1'] }));
    const rules = { allowPrivate: false, dnsServers: [server] };
    await expect(publicResolver(rules)('shop.example')).resolves.toHaveLength(1);
    await expect(request(`http://shop.example:${String(port)}/`, { dispatcher: agentFor(rules) })).rejects.toMatchObject({
      code: 'ADDRESS_NOT_PUBLIC',
    });
    expect(hosts).toEqual([]);
  });

  it('the name is resolved once and the socket goes to what was checked; Host keeps the name (H12)', async () => {
    const { port, hosts } = await localServer();
    // A second question, if the socket asked one, would lead to an address where nobody is.
    const { server, questions } = await dns((_name, number) => ({
      addresses: [number === 1 ? '127.0.0.1' : '127.9.9.9'],
    }));
    const url = `http://shop.example:${String(port)}/`;
    const response = await request(url, { dispatcher: agentFor({ allowPrivate: true, dnsServers: [server] }) });
    await response.body.dump();
    expect(response.statusCode).toBe(200);
    expect(hosts).toEqual([`shop.example:${String(port)}`]);
    expect(questions.filter((question) => question.startsWith('A '))).toHaveLength(1);
  });

  it.each(['127.0.0.1', '::1'])('localhost in TEST reaches a receiver that listens on %s alone (R28)', async (address) => {
    const { port, hosts } = await localServer(address);
    const dispatcher = agentFor({ allowPrivate: true });
    const response = await request(`http://localhost:${String(port)}/`, { dispatcher });
    await response.body.dump();
    expect([response.statusCode, hosts]).toEqual([200, [`localhost:${String(port)}`]]);
  });

  it('nobody on either family of localhost is a refused connection', async () => {
    const { port } = await localServer();
    await closing.splice(0).at(0)?.();
    const call = request(`http://localhost:${String(port)}/`, { dispatcher: agentFor({ allowPrivate: true }) });
    await expect(call).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([['127.0.0.1'], ['[::ffff:127.0.0.1]'], ['2130706433'], ['localhost']])(
    '%s in a URL is refused, although undici looks no literal up (H04, H05)',
    async (host) => {
      const { port, hosts } = await localServer();
      const call = request(`http://${host}:${String(port)}/`, { dispatcher: agentFor({ allowPrivate: false }) });
      await expect(call).rejects.toMatchObject({ code: 'ADDRESS_NOT_PUBLIC' });
      expect(hosts).toEqual([]);
    },
  );
});
