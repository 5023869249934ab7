import { eq, inArray, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { storeLogos } from './schema.ts';

/** What is said of a logo: everything but the picture. */
export type Logo = Readonly<Pick<typeof storeLogos.$inferSelect, 'sha256' | 'width' | 'height'>> & {
  /** Of the PNG. */
  readonly bytes: number;
};

const ABOUT = {
  sha256: storeLogos.sha256,
  width: storeLogos.width,
  height: storeLogos.height,
  bytes: sql<number>`octet_length(${storeLogos.png})`,
};

/** The logo of a store; undefined if it has none. */
export async function findLogo(reader: Reader, storeId: string): Promise<Logo | undefined> {
  const [row] = await reader.select(ABOUT).from(storeLogos).where(eq(storeLogos.storeId, storeId));
  return row;
}

/** The logos of these stores, by store. */
export async function listLogos(reader: Reader, storeIds: readonly string[]): Promise<ReadonlyMap<string, Logo>> {
  if (storeIds.length === 0) return new Map();
  const rows = await reader
    .select({ storeId: storeLogos.storeId, ...ABOUT })
    .from(storeLogos)
    .where(inArray(storeLogos.storeId, [...storeIds]));
  return new Map(rows.map(({ storeId, ...logo }) => [storeId, logo]));
}

/** The picture with this hash, of whichever store; undefined if no store has it. */
export async function findPicture(reader: Reader, sha256: string): Promise<Buffer | undefined> {
  const [row] = await reader
    .select({ png: storeLogos.png })
    .from(storeLogos)
    .where(eq(storeLogos.sha256, sha256))
    .limit(1);
  return row?.png;
}

/** Gives a store this logo in place of the one that it had. */
export async function replaceLogo(
  tx: Tx,
  storeId: string,
  logo: Omit<Logo, 'bytes'> & { readonly png: Buffer },
): Promise<void> {
  await tx
    .insert(storeLogos)
    .values({ storeId, ...logo })
    .onConflictDoUpdate({ target: storeLogos.storeId, set: { ...logo, updatedAt: sql`clock_now()` } });
}

/** Nothing happens if the store has none. */
export async function deleteLogo(tx: Tx, storeId: string): Promise<void> {
  await tx.delete(storeLogos).where(eq(storeLogos.storeId, storeId));
}
