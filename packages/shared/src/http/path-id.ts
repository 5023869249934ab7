import type { Request } from 'express';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';

const Id = z.uuid();

/** The id in a path, in lowercase. Anything but a UUID does not exist. @throws ApiError 404 */
export function pathId(req: Request, name: string): string {
  const id = Id.safeParse(req.params[name]);
  if (!id.success) throw new ApiError('NOT_FOUND');
  return id.data.toLowerCase();
}

/** The longest name there is, an e-mail address. The audit log has an index on what a path names, and PostgreSQL a limit. */
const NAME_CHARACTERS_MAX = 254;

/** A name in a path, unchanged. @throws ApiError 404 for one that is longer than any */
export function pathName(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`);
  if (value.length > NAME_CHARACTERS_MAX) throw new ApiError('NOT_FOUND');
  return value;
}
