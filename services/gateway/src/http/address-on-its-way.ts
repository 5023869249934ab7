import { ErrorBody } from '@pay/contract/api/errors.ts';
import { Endpoints } from '@pay/contract/api/integration.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Answer, Forwarded, Forwarder } from '../forwarding/forwarder.ts';
import { jsonOf } from './logged-request.ts';

const SECRET = 'POST /api/integration/callback-secret';
const ENDPOINTS = '/api/integration/endpoints';

/**
 * Whether a secret is refused for the want of an address that the partner has saved. Payments saves it and the notifier,
 * which issues the secret, hears of it by message: usually in milliseconds, and in seconds when a broker or a leader of
 * payments' relay has just died. "Save it first" would be wrong then; what helps is to come back.
 * @throws ApiError 503 if payments does not say
 */
export async function isAddressOnItsWay(payments: Forwarder, request: Omit<Forwarded, 'lane'>, refusal: Answer): Promise<boolean> {
  const { method, target, partnerId, requestId } = request;
  if (`${method} ${target}` !== SECRET || refusal.status !== 409) return false;
  const { data } = ErrorBody.pick({ code: true }).safeParse(read(refusal));
  if (data?.code !== 'ENDPOINTS_NOT_CONFIGURED') return false;
  const saved = await payments.ask({
    lane: 'read',
    method: 'GET',
    target: ENDPOINTS,
    partnerId,
    requestId,
    idempotencyKey: '',
    contentType: undefined,
    body: Buffer.alloc(0),
  });
  if (saved.status !== 200) throw new ApiError('SERVICE_UNAVAILABLE');
  return Endpoints.parse(read(saved)).callbackUrl !== null;
}

const read = ({ body }: Answer): unknown => jsonOf(Buffer.from(body).toString());
