import type { ServerResponse } from 'node:http';

/** An answer that somebody else gives in the bank's place, or half of one. */
export type ForeignAnswer = {
  readonly name: string;
  readonly send: (res: ServerResponse, own: object) => void;
};

const NGINX = '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body><center>nginx</center></body>\r\n</html>';
const JSON_TYPE = { 'content-type': 'application/json' };

const whole = (name: string, status: number, headers: Record<string, string>, body: string | Buffer): ForeignAnswer => ({
  name,
  send: (res) => void res.writeHead(status, headers).end(body),
});
const html = (status: number) => whole(`${String(status)} with a page`, status, { 'content-type': 'text/html' }, NGINX);
const empty = (status: number) => whole(`${String(status)} and nothing`, status, {}, '');
const redirect = (status: number): ForeignAnswer => ({
  name: `${String(status)} to another place, with the bank's own body`,
  send: (res, own) => void res.writeHead(status, { ...JSON_TYPE, location: 'http://127.0.0.1:1/' }).end(JSON.stringify(own)),
});
const others = (status: number, body: unknown) =>
  whole(`${String(status)} with JSON of somebody else: ${JSON.stringify(body)}`, status, JSON_TYPE, JSON.stringify(body));
const typed = (type: string | undefined): ForeignAnswer => ({
  name: `200 with the bank's own body as ${type ?? 'no type at all'}`,
  send: (res, own) => void res.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(JSON.stringify(own)),
});

/** None of these is the bank's word about anything, whatever its status and whoever sent it. */
export const FOREIGN_ANSWERS: readonly ForeignAnswer[] = [
  ...[200, 400, 403, 404, 405, 409, 410, 422, 429, 451, 502, 503].map(html),
  ...[200, 204, 400, 404, 409, 422].map(empty),
  ...[301, 302, 303, 307, 308].map(redirect),
  whole('200 with a captive portal', 200, { 'content-type': 'text/html; charset=utf-8' }, '<form action="/login">'),
  whole('200 with a captive portal that says it is JSON', 200, JSON_TYPE, '<form action="/login">'),
  whole('404 with a byte order mark and a page', 404, JSON_TYPE, `\uFEFF${NGINX}`),
  others(404, { message: 'no Route matched with those values' }),
  others(404, { error: 'there is no such thing', code: 'NOT_FOUND', requestId: 'x' }),
  others(404, { type: 'about:blank', title: 'Not Found', status: 404 }),
  others(404, { errorCode: 'OPERATION_NOT_FOUND' }),
  others(409, { message: 'conflict' }),
  others(400, { message: 'bad request' }),
  others(422, { errors: [] }),
  others(200, { errorCode: 'OPERATION_NOT_FOUND', errorMessage: 'with a status that is not its own' }),
  others(200, { status: 'ok' }),
  others(200, { Success: true, ErrorCode: '0' }),
  others(200, { Success: true, ErrorCode: '0', Payments: [] }),
  others(404, { Success: false, ErrorCode: '335' }),
  others(200, null),
  others(200, [1]),
  others(200, 'OK'),
  typed('text/html'),
  typed('text/plain'),
  typed('application/problem+json'),
  typed('application/jsonp'),
  typed(undefined),
  {
    name: 'half of the bank’s own body, which ends as if it were whole',
    send: (res, own) => void res.writeHead(200, JSON_TYPE).end(JSON.stringify(own).slice(0, -5)),
  },
  {
    name: 'half of the bank’s own body, and then nothing',
    send: (res, own) => {
      const text = JSON.stringify(own);
      res.writeHead(200, { ...JSON_TYPE, 'content-length': String(text.length) }).write(text.slice(0, -5));
      setImmediate(() => res.destroy());
    },
  },
  {
    name: 'the bank’s own body, twice',
    send: (res, own) => void res.writeHead(200, JSON_TYPE).end(JSON.stringify(own).repeat(2)),
  },
  {
    name: 'the bank’s own body behind a megabyte of blanks',
    send: (res, own) => void res.writeHead(200, JSON_TYPE).end(' '.repeat(1024 * 1024) + JSON.stringify(own)),
  },
  {
    name: 'the bank’s own body with bytes that are no UTF-8',
    send: (res, own) =>
      void res.writeHead(200, JSON_TYPE).end(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(JSON.stringify(own))])),
  },
];

/** What a balancer in front of the bank answers while the bank is being replaced. */
export const BALANCER_404 = (res: ServerResponse): void => {
  res.writeHead(404, { 'content-type': 'text/html' }).end(NGINX);
};
