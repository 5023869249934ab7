/**
 * Concurrency limits of a loop that calls banks: 20 operations per route, none of which holds a database connection
 * during the call, and 32 routes, more than exist. A slow bank delays only its own operations (decisions/bulkheads).
 */
export const BY_ROUTE = { partiesMax: 32, batch: 20 } as const;
