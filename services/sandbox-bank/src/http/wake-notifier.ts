import type { RequestHandler } from 'express';
import type { Notifier } from '../notifier.ts';

/**
 * Lets the notifier look after every request that may have changed an operation, its mode or the clock, answered or
 * not: this process alone changes them.
 */
export function wakeNotifier(notifier: Notifier | undefined): RequestHandler {
  return (req, res, next) => {
    if (notifier !== undefined && req.method !== 'GET') res.on('close', notifier.lookSoon);
    next();
  };
}
