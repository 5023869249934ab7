import type { CookieOptions, Request, Response } from 'express';

/**
 * The cookie with the token of a session. Over https its name has the prefix `__Host-`: the browser takes it from this
 * host only, so no sibling domain can plant one. SameSite=Strict: no other site's request carries it.
 */
export type SessionCookie = {
  /** The token; undefined if there is none, or several. */
  read(req: Request): string | undefined;
  set(res: Response, token: string): void;
  clear(res: Response): void;
};

export function sessionCookie(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-portal' : 'portal';
  const options: CookieOptions = { httpOnly: true, secure, sameSite: 'strict', path: '/' };
  return {
    read(req) {
      const values = (req.headersDistinct['cookie'] ?? [])
        .flatMap((header) => header.split(';'))
        .flatMap((pair) => {
          const [before = '', ...value] = pair.trim().split('=');
          return before === name ? [value.join('=')] : [];
        });
      const [only = ''] = values;
      return values.length === 1 && TOKEN.test(only) ? only : undefined;
    },
    set(res, token) {
      res.cookie(name, token, options);
    },
    clear(res) {
      res.clearCookie(name, options);
    },
  };
}

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;
