import type { RequestHandler } from 'express';
import { IssueCallbackSecret, type CallbackSecret } from '@pay/contract/api/integration.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { SIGNATURE_HEADER } from '@pay/signing/callback-signature.ts';
import type { Deps } from '../../deps.ts';
import { issueCallbackSecret } from '../../use-cases/issue-callback-secret.ts';

/** POST /api/integration/callback-secret. See spec/service-contract#callback-secret-issue-response. */
export function issueCallbackSecretRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    validate(IssueCallbackSecret, jsonBody(req));
    const issued = await issueCallbackSecret(deps, idempotentRequest(req, res));
    if (issued.replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.setHeader('Cache-Control', 'no-store');
    const answer: Wire<typeof CallbackSecret> = {
      secret: issued.secret.toString('base64'),
      keyId: issued.keyId,
      algorithm: 'HMAC-SHA256',
      signatureHeader: SIGNATURE_HEADER,
      issuedAt: issued.issuedAt.toISOString(),
      replayUntil: issued.replayUntil.toISOString(),
    };
    res.status(201).json(answer);
  };
}
