import { expect } from '@jest/globals';
import { privateKeyOf, signText } from '../packages/signing/src/ed25519.ts';
import { secretOfText } from '../packages/signing/src/key-text.ts';
import type { DemoPartner } from '../tools/system/state.ts';

/** What a page of the portal sends that shows its session's partner. */
export type PageHeaders = {
  readonly cookie: string;
  readonly origin: string;
  readonly 'content-type': string;
  readonly 'x-portal-partner': string;
};

/** Begins a session as the command line does. */
export async function signInToPortal(portalUrl: string, { partnerID, privateKeyPem }: DemoPartner): Promise<PageHeaders> {
  const headers = { origin: portalUrl, 'content-type': 'application/json' };
  const post = (path: string, body: unknown) => fetch(`${portalUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { challengeId, text } = (await (await post('/api/challenges', { partnerID })).json()) as Record<string, string>;
  const signature = signText(privateKeyOf(secretOfText(privateKeyPem)), text ?? '');
  const answer = await post('/api/sessions', { challengeId, signature });
  expect(answer.status).toBe(201);
  return { ...headers, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'x-portal-partner': partnerID };
}
