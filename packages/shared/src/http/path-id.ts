import type { Request } from 'express';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';

const Id = z.uuid();

/** The id in a path, in lowercase. What is no UUID names nothing. @throws ApiError 404 */
export function pathId(req: Request, name: string): string {
  const id = Id.safeParse(req.params[name]);
  if (!id.success) throw new ApiError('NOT_FOUND');
  return id.data.toLowerCase();
}
