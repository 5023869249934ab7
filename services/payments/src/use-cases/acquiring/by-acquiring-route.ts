/**
 * Bounds of what waits for banks in a loop: 20 operations of a route at once, none of which holds a connection to the database
 * meanwhile, and 32 routes, more than there are. A bank that is slow delays its own (ADR 0115).
 */
export const BY_ROUTE = { partiesMax: 32, batch: 20 } as const;
