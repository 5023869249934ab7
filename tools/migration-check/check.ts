import { parse, type AlterTableCmd, type ColumnDef, type Constraint, type Node, type ParseResult } from 'libpg-query';

/**
 * What a migration must not do unless it says why: `locks` keep readers or writers of a large table waiting, `breaks` stop the
 * version that still runs while the migration is applied.
 */
export const RULES = {
  'index-at-once': 'locks: CREATE INDEX stops writers until it is built; CREATE INDEX CONCURRENTLY, in a migration of its own',
  'index-dropped-at-once': 'locks: DROP INDEX waits for everybody; DROP INDEX CONCURRENTLY, in a migration of its own',
  'constraint-at-once': 'locks: a constraint is checked on every row; add it NOT VALID, and validate it in a later migration',
  'unique-at-once': 'locks: a unique constraint builds its index; build the index CONCURRENTLY, then ADD CONSTRAINT … USING INDEX',
  'column-computed':
    'locks: a default that differs by row, or an identity, rewrites the table; add the column without, then fill it in batches',
  'column-type':
    'locks and breaks: another type rewrites the table under the running version; add a column, write both, then drop the old one',
  'not-null':
    'locks and breaks: the running version may write null; add a CHECK … NOT VALID once no running version does, validate it later',
  'column-required': 'breaks: the running version does not write the new column; give it a default, or let it be null',
  'column-dropped': 'breaks: the running version may read the column; drop it one version after nothing names it',
  'default-dropped': 'breaks: the running version may rely on the default; drop it one version after nothing does',
  'table-dropped': 'breaks: the running version may read the table; drop it one version after nothing names it',
  renamed: 'breaks: the running version knows the old name; add the new one, write both, then drop the old one',
  'rows-changed': 'locks: one statement over a table holds the lock of every row until the end; fill in batches from a loop or a command',
  'not-alone':
    'CONCURRENTLY cannot run in a transaction, and VALIDATE CONSTRAINT reads the table while the locks of its transaction are held: nothing but such statements may be in their migration',
  'allows-nothing': 'the migration allows what it does not do',
} as const;
export type Rule = keyof typeof RULES;

/** A rule that a migration does not follow, and the line on which its statement begins, counted from 1. */
export type Finding = { readonly rule: Rule; readonly line: number };

/** `-- allow <rule>: <reason>`, anywhere in the file. The reason has at least four words. */
const ALLOWED = /^-- allow ([a-z-]+): (?:\S+ ){3,}\S+/gm;

/**
 * What a migration does that may lock or break, by PostgreSQL's own parser. Tables that the same migration creates are empty and
 * unknown to the running version, so nothing about them is found. @throws SqlError if it does not parse
 */
export async function checkMigration(sql: string): Promise<Finding[]> {
  const statements = statementsOf(await parse(sql), sql);
  const created = new Set(statements.flatMap(({ node }) => ('CreateStmt' in node ? (node.CreateStmt.relation?.relname ?? []) : [])));
  const isAlone = statements.map(({ node }) => runsAlone(node));
  const found = statements.flatMap(({ node, line }, index) => [
    ...findingsOf(node, created).map((rule) => ({ rule, line })),
    ...(isAlone.includes(true) && isAlone[index] === false ? [{ rule: 'not-alone' as const, line }] : []),
  ]);
  const allowed = [...sql.matchAll(ALLOWED)].map(({ 1: rule = '', index }) => ({ rule, line: lineAt(sql, index) }));
  return [
    ...found.filter(({ rule }) => !allowed.some((one) => one.rule === rule)),
    ...allowed.filter((one) => !found.some(({ rule }) => rule === one.rule)).map(({ line }) => ({ rule: 'allows-nothing' as const, line })),
  ];
}

type Statement = { readonly node: Node; readonly line: number };

function statementsOf({ stmts = [] }: ParseResult, sql: string): Statement[] {
  const bytes = Buffer.from(sql);
  return stmts.flatMap(({ stmt, stmt_location: at = 0 }) => {
    // The location counts bytes, and begins with the white space and comments before the statement.
    const before = /^(?:\s|--.*(?:\n|$))*/.exec(bytes.subarray(at).toString())?.[0] ?? '';
    return stmt === undefined ? [] : [{ node: stmt, line: lineAt(sql, bytes.subarray(0, at).toString().length + before.length) }];
  });
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** As the migrator runs them: outside of a transaction. */
function runsAlone(node: Node): boolean {
  if ('IndexStmt' in node) return node.IndexStmt.concurrent === true;
  if ('AlterTableStmt' in node) return commandsOf(node).some(({ subtype }) => subtype === 'AT_ValidateConstraint');
  return 'DropStmt' in node && node.DropStmt.concurrent === true;
}

function findingsOf(node: Node, created: ReadonlySet<string>): Rule[] {
  const isOld = (table: string | undefined) => table !== undefined && !created.has(table);
  if ('IndexStmt' in node) {
    const { concurrent, relation } = node.IndexStmt;
    return concurrent !== true && isOld(relation?.relname) ? ['index-at-once'] : [];
  }
  if ('DropStmt' in node) {
    const { removeType, concurrent } = node.DropStmt;
    if (removeType === 'OBJECT_INDEX') return concurrent === true ? [] : ['index-dropped-at-once'];
    return removeType === 'OBJECT_TABLE' || removeType === 'OBJECT_VIEW' ? ['table-dropped'] : [];
  }
  if ('TruncateStmt' in node) return ['table-dropped'];
  if ('RenameStmt' in node) return isOld(node.RenameStmt.relation?.relname) ? renamesOf(node.RenameStmt.renameType) : [];
  if ('UpdateStmt' in node) return isOld(node.UpdateStmt.relation?.relname) ? ['rows-changed'] : [];
  if ('DeleteStmt' in node) return isOld(node.DeleteStmt.relation?.relname) ? ['rows-changed'] : [];
  if (!('AlterTableStmt' in node) || !isOld(node.AlterTableStmt.relation?.relname)) return [];
  return commandsOf(node).flatMap(changesOf);
}

/** Names of constraints, indexes and the like are nobody's business but the schema's. */
const renamesOf = (type: string | undefined): Rule[] =>
  type === 'OBJECT_TABLE' || type === 'OBJECT_COLUMN' || type === 'OBJECT_VIEW' ? ['renamed'] : [];

function commandsOf(node: Node): AlterTableCmd[] {
  const cmds = 'AlterTableStmt' in node ? (node.AlterTableStmt.cmds ?? []) : [];
  return cmds.flatMap((cmd) => ('AlterTableCmd' in cmd ? cmd.AlterTableCmd : []));
}

function changesOf({ subtype, def }: AlterTableCmd): Rule[] {
  switch (subtype) {
    case 'AT_AddColumn':
      return def !== undefined && 'ColumnDef' in def ? columnFindings(def.ColumnDef) : [];
    case 'AT_DropColumn':
      return ['column-dropped'];
    case 'AT_AlterColumnType':
      return ['column-type'];
    case 'AT_SetNotNull':
      return ['not-null'];
    case 'AT_ColumnDefault':
      return def === undefined ? ['default-dropped'] : [];
    case 'AT_AddConstraint':
      return def !== undefined && 'Constraint' in def ? constraintFindings(def.Constraint) : [];
    default:
      return [];
  }
}

function constraintFindings({ contype, skip_validation: isNotValid, indexname }: Constraint): Rule[] {
  switch (contype) {
    case 'CONSTR_CHECK':
    case 'CONSTR_FOREIGN':
    case 'CONSTR_NOTNULL':
      return isNotValid === true ? [] : ['constraint-at-once'];
    case 'CONSTR_UNIQUE':
    case 'CONSTR_PRIMARY':
    case 'CONSTR_EXCLUSION':
      return indexname === undefined ? ['unique-at-once'] : [];
    default:
      return [];
  }
}

/** Computed once for all rows: PostgreSQL stores the value with the column and rewrites nothing. */
const SAME_FOR_ALL_ROWS: ReadonlySet<string> = new Set([
  'now',
  'clock_now',
  'transaction_timestamp',
  'statement_timestamp',
  'make_interval',
]);

function columnFindings({ constraints = [], typeName }: ColumnDef): Rule[] {
  const all = constraints.flatMap((one) => ('Constraint' in one ? one.Constraint : []));
  const has = (contype: Constraint['contype']) => all.find((one) => one.contype === contype);
  const given = has('CONSTR_DEFAULT');
  const isSerial = (typeName?.names ?? []).some((one) => 'String' in one && (one.String.sval ?? '').includes('serial'));
  const isComputed =
    isSerial ||
    has('CONSTR_IDENTITY') !== undefined ||
    has('CONSTR_GENERATED') !== undefined ||
    callsOf(given?.raw_expr).some((name) => !SAME_FOR_ALL_ROWS.has(name));
  const isRequired = (has('CONSTR_NOTNULL') ?? has('CONSTR_PRIMARY')) !== undefined && given === undefined && !isComputed;
  const isUnique = (has('CONSTR_UNIQUE') ?? has('CONSTR_PRIMARY')) !== undefined;
  const isChecked = (has('CONSTR_CHECK') ?? has('CONSTR_FOREIGN')) !== undefined;
  return [
    ...(isComputed ? (['column-computed'] as const) : []),
    ...(isRequired ? (['column-required'] as const) : []),
    ...(isUnique ? (['unique-at-once'] as const) : []),
    ...(isChecked ? (['constraint-at-once'] as const) : []),
  ];
}

/** The functions that an expression calls, however deep. */
function callsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'FuncCall' in value ? [JSON.stringify(value.FuncCall)].map(lastName) : [];
  return [...own, ...Object.values(value).flatMap(callsOf)];
}

/** `pg_catalog.now` is `now`. */
const lastName = (call: string): string => /"funcname":\[.*?"sval":"(\w+)"\}\}\]/.exec(call)?.[1] ?? '';
