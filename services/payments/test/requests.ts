import { randomUUID } from 'node:crypto';
import { CreateCardPayment } from '@pay/contract/api/card-payments.ts';
import { CreateQrPayment } from '@pay/contract/api/qr-payments.ts';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { renderRub } from '@pay/shared/money/money.ts';

/** The body of a POST /api/card, parsed as the route parses it. */
export const cardRequest = (paymentPointID: string, amountKopecks: bigint, orderID: string = randomUUID()) =>
  CreateCardPayment.parse({
    paymentPointID,
    orderID,
    amount: new JsonNumber(renderRub(amountKopecks)),
    currency: 'RUB',
    description: 'Tea',
    customerID: 'buyer-1',
  });

/** The body of a POST /api/qr, parsed as the route parses it. */
export const qrRequest = (paymentPointID: string, amountKopecks: bigint) =>
  CreateQrPayment.parse({ paymentPointID, amount: new JsonNumber(renderRub(amountKopecks)) });
