import type { Request } from 'express';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { forbiddenField } from '@pay/shared/content/forbidden-content.ts';
import { FORBIDDEN_CONTENT } from '@pay/shared/content/typed-text.ts';

/** A transfer's hash and a public key look like secrets but are not. Their services check what else they contain. */
const EXEMPT: Readonly<Record<string, (value: string) => string>> = {
  transferReference: (value) => value.replace(/^(?:0x)?[0-9a-f]{64}$/i, ''),
  publicKey: (value) => value.trim().replace(/^ssh-ed25519 +[A-Za-z0-9+/=]+/, ''),
};

/**
 * Refuses an action before anything of it is stored: many people read the audit log, and nothing is ever deleted from
 * it. Every text in the body is checked, even in fields that the service does not know, because the log stores all of
 * them; and so are the path's parameters.
 * @throws ApiError 400 that names the field and never the value
 */
export function refuseForbiddenContent(req: Request, body: unknown): void {
  const field = forbiddenField({ ...req.params }) ?? forbiddenField(withoutExempt(body));
  if (field !== undefined) throw invalidField(field, FORBIDDEN_CONTENT);
}

function withoutExempt(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => {
      const exempt = Object.hasOwn(EXEMPT, name) ? EXEMPT[name] : undefined;
      return [name, exempt !== undefined && typeof value === 'string' ? exempt(value) : value];
    }),
  );
}
