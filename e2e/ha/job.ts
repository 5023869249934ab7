import { z } from 'zod';

const Credentials = z.object({ caFile: z.string(), folder: z.string() });
const Command = z.tuple([z.string()], z.string()).readonly();
/** What `main.ts` hands to `drill.ts`, as its only argument. */
export const Job = z.object({
  rows: z.array(z.string()),
  /** For the system's state and every log. */
  folder: z.string(),
  /** For the servers' data: any account can reach it. */
  data: z.string(),
  programs: z.object({ pgBouncer: Command, patroni: Command }),
  /** The hosts' certificates, and those of an authority that nobody here trusts. */
  credentials: Credentials,
  strangers: Credentials,
});
export type Job = z.infer<typeof Job>;
