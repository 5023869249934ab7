import pg from 'pg';
import { batcherByKey } from '../../batcher/batcher.ts';
import { clientOf, type Client } from '../client-of.ts';
import type { Db, Reader } from '../db.ts';
import { isAway, sqlState } from '../errors.ts';
import { repeatOnConflict } from '../retry.ts';
import { withConnection } from '../transaction.ts';
import { nameStatement, type ReadyStatement } from './compiled.ts';
import { writerOf, type Writer } from './one-statement.ts';
import { inPipeline, poolOf, type Results } from './pipeline.ts';
import { sendAnswered, sendTogether, type Answer, type Statement } from './send-whole.ts';

/** Statements that belong together. */
type Group = readonly Statement[];
/** What was answered to each; undefined if a statement of one of them failed: then nothing of any is stored. */
type Shared = ReadonlyMap<Group, readonly Answer[]> | undefined;

/** As many groups leave together. More than half of what can be saved is saved with four (decisions/round-trips). */
const MAX = 16;
/** While one waits for a lock, the other goes on. */
const PARALLEL = 2;

/**
 * `inPipeline` for a transaction that changes only rows of its own and publishes nothing: those of one party that come while two
 * are on their way leave together, as one transaction (decisions/round-trips). If it fails, each is sent again by
 * itself, so that nobody sees another's error; without an answer all of them get the error, as it is not known what is
 * stored.
 * @param party who may wait for each other, such as a partner's calls
 */
export function inSharedPipeline<const S extends readonly ReadyStatement<unknown>[]>(
  db: Db,
  party: string,
  build: (writer: Writer) => S,
): Promise<Results<S>>;
export async function inSharedPipeline(
  db: Db,
  party: string,
  build: (writer: Writer) => readonly ReadyStatement<unknown>[],
): Promise<readonly unknown[]> {
  const statements = build(writerOf(db));
  const answers = await share(WRITES, poolOf(db), party, statements);
  if (answers === undefined) return inPipeline(db, build);
  return Promise.all(statements.map((statement, at) => statement.decode(answerAt(answers, at))));
}

/** A read that leaves together with others of its party, likewise. In a transaction it is sent by itself. */
export async function sharedRead<Rows>(reader: Reader, party: string, statement: ReadyStatement<Rows>): Promise<Rows> {
  const answers = await share(READS, clientOf(reader), party, [statement]);
  return answers === undefined ? statement : statement.decode(answerAt(answers, 0));
}

type Sharing = (party: string, group: Group) => Promise<Shared>;
type Kind = { readonly send: typeof sendAnswered; readonly sharings: WeakMap<pg.Pool, Sharing> };
/** A read waits for no write, and needs no transaction. */
const [WRITES, READS]: readonly [Kind, Kind] = [
  { send: sendAnswered, sharings: new WeakMap() },
  { send: sendTogether, sharings: new WeakMap() },
];

async function share(
  { send, sharings }: Kind,
  client: Client,
  party: string,
  statements: readonly ReadyStatement<unknown>[],
): Promise<readonly Answer[] | undefined> {
  if (!(client instanceof pg.Pool)) return undefined;
  const sharing = sharings.get(client) ?? batcherByKey(sendOn(client, send), { max: MAX, waitMs: 0, parallel: PARALLEL });
  sharings.set(client, sharing);
  const group = statements.map((statement) => statement.encode());
  return (await sharing(party, group))?.get(group);
}

const sendOn =
  (pool: pg.Pool, send: Kind['send']) =>
  async (groups: readonly Group[]): Promise<Shared> => {
    try {
      const answers = await repeatOnConflict(() => withConnection(pool, (client) => send(client, groups.flat(), nameStatement)));
      let end = 0;
      return new Map(groups.map((group) => [group, answers.slice(end, (end += group.length))]));
    } catch (error) {
      const isStatements = sqlState(error) !== undefined && !isAway(error);
      if (groups.length === 1 || !isStatements) throw error;
      return undefined;
    }
  };

function answerAt(answers: readonly Answer[], at: number): Promise<Answer> {
  const answer = answers[at];
  if (answer === undefined) throw new TypeError('a transaction that succeeded has an answer to each statement');
  return Promise.resolve(answer);
}
