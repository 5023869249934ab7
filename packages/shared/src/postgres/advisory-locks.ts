/**
 * All numbered advisory locks of this project; no two purposes share one. PostgreSQL scopes them to a database, which
 * all services share.
 */
export const ADVISORY_LOCKS = {
  /** One migration at a time, of any service: they share the owner (`postgres/migrate.ts`). */
  migrate: 7_305_001,
  /** The partitions of the gateway's nonces, in its migration `0008_attach_nonce_partitions.sql`. */
  rollNoncePartitions: 7_305_002,
  /** Changes to partners and keys, so that revisions commit in order (gateway, `db/partners.ts`). */
  changePartners: 7_305_003,
  /** The partitions of `published`, in the migrations `…_keep_what_was_published.sql` of payments, bindings and withdrawals. */
  rollPublishedPartitions: 7_305_004,
  /** One provisioning of roles and schemas at a time (`tools/infrastructure/provision.ts`). */
  provision: 7_305_005,
  /** One builder of test templates at a time (`tools/testing/database.ts`). */
  buildTestTemplate: 7_305_006,
  /** The partitions of the notifier's attempts, in its migration `0022_keep_attempts_by_day.sql`. */
  rollAttemptsPartitions: 7_305_007,
  /**
   * Claims of callbacks over all replicas, so that the limits of running attempts are exact (notifier, `db/claims.ts`).
   */
  claimDeliveries: 7_305_011,
  /**
   * The first of two numbers; the second is a replica's. Shared, and held by its session: while somebody holds it, the
   * replica's leases of callbacks are its own (notifier, `db/holders.ts`).
   */
  deliverCallbacks: 7_305_012,
  /** Decisions on operators' accounts (console, `db/account-changes.ts`). */
  changeAccounts: 7_203_417,
} as const;
