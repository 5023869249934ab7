import { z } from 'zod';

/** What a bank or a receiver saw. Times are those of `machineMs`. */
const Seen = z.object({
  what: z.enum(['registered', 'approved', 'callback']),
  /** The payment. */
  id: z.string(),
  atMs: z.number(),
  /** From the request's arrival to its answer. */
  tookMs: z.number(),
});
export type Seen = z.infer<typeof Seen>;

/** Of one process since its start; the memory is that of now. */
const Usage = z.object({ lagP99Ms: z.number(), lagMaxMs: z.number(), cpuMs: z.number(), rssMiB: z.number() });
export type Usage = z.infer<typeof Usage>;

export const FromProcess = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listening'), url: z.string() }),
  z.object({ kind: z.literal('seen'), seen: z.array(Seen) }),
  z.object({ kind: z.literal('usage'), usage: Usage }),
]);
export type FromProcess = z.infer<typeof FromProcess>;
