// The sandbox bank's acquirer API as far as card payments and charges of saved cards need it, in memory: it approves at
// once, and says how long each call took, so that its time can be subtracted.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { machineMs } from '../load.ts';
import { listening } from './listening.ts';
import { reportToParent } from './report.ts';

const Order = z.object({
  operationId: z.string().optional(),
  amountKopecks: z.string().optional(),
  saveCard: z.boolean().optional(),
});

const report = reportToParent();
const amounts = new Map<string, string>();
const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  const cameAt = machineMs();
  void text(req).then((body) => {
    const order = Order.parse(body === '' ? {} : JSON.parse(body));
    const { url = '' } = req;
    const [, , , pathId = ''] = url.split('/');
    const id = pathId === '' ? (order.operationId ?? '') : pathId;
    const isCharge = url === '/v1/charges';
    const isCard = isCharge || url.endsWith('/authorize');
    const amountKopecks = amounts.get(id) ?? order.amountKopecks ?? '';
    amounts.set(id, amountKopecks);
    const status = isCard ? 'APPROVED' : 'REGISTERED';
    const cardMask = isCard ? '411111******1111' : null;
    const saved = order.saveCard === true ? { cardToken: 'bench-card', cardExpiry: '2034-12' } : {};
    const kind = isCharge ? 'CHARGE' : 'ORDER';
    res.setHeader('content-type', 'application/json');
    res.end(
      JSON.stringify({ operationId: id, bankOperationId: `bench-${id}`, kind, status, amountKopecks, currency: 'RUB', cardMask, ...saved }),
    );
    const atMs = machineMs();
    report({ what: isCard ? 'approved' : 'registered', id, atMs, tookMs: atMs - cameAt });
  });
});
listening(server);
