/** Errors of Node's sockets and resolver, and of undici, that arise before a connection is established. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** True if not a byte of the request has left: the name did not resolve, or no address accepted the connection. */
export function isNothingSent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // Several addresses were tried, and every one failed.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.every(isNothingSent);
  }
  return 'code' in error && typeof error.code === 'string' && NEVER_CONNECTED.has(error.code);
}
