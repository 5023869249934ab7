import type { Request } from 'express';

/** The route's pattern, never the path: a path may contain an id or a checkout token. */
export function routeOf(req: Request): string {
  const route: unknown = req.route;
  if (typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string') return route.path;
  return 'none';
}
