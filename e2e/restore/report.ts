import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { format } from 'oxfmt';

/** What a drill measured. Times are milliseconds since the epoch. */
export type Measured = {
  readonly backup: { readonly seconds: number; readonly bytes: number };
  readonly faultAt: number;
  /** Somebody noticed, and everything was stopped. */
  readonly stoppedAt: number;
  readonly restoredAt: number;
  readonly readyAt: number;
  readonly recoveredAt: number;
  readonly firstAt: number;
  /** Seconds since the newest segment of the log was archived, when the server was stopped. */
  readonly unarchivedSeconds: number;
  readonly rows: readonly Row[];
  readonly wrongs: readonly string[];
};

/** What partners and people did before the restore, and how much of it the restored database had. */
export type Row = {
  readonly what: string;
  /** Answered with 201, or done, before the programs were stopped. */
  readonly done: number;
  /** Before the moment that was restored to, and gone: must be 0. */
  readonly missing: number;
  /** After that moment: not in the restored database. */
  readonly lost: number;
  readonly after: string;
};

const PAGE = new URL('../../docs/operate/proof.md', import.meta.url);
const HEADING = '## Backup and restore';
const BEGIN = '<!-- Made by npm run drill:restore from here on. -->';
const END = '<!-- Made by npm run drill:restore up to here. -->';

const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(1)} s`;

/** The tables of a drill, as Markdown. */
export function renderDrill(measured: Measured): string {
  const { backup, faultAt, stoppedAt, restoredAt, readyAt, recoveredAt, firstAt, unarchivedSeconds, rows, wrongs } = measured;
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
  const table = (head: readonly string[], lines: readonly (readonly string[])[]) =>
    [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return [
    `${new Date(faultAt).toISOString().slice(0, 16).replace('T', ' ')} UTC, load average ${load}. ${wrongs.length === 0 ? 'Nothing was wrong.' : `Wrong: ${wrongs.join('; ')}.`}`,
    table(
      ['what', 'figure'],
      [
        ['a full backup under load', `${backup.seconds.toFixed(1)} s, ${(backup.bytes / 1e6).toFixed(1)} MB`],
        ['**RPO** of a fault by hand: restored to the second before it', '1.0 s'],
        ['**RPO** of a server that is gone with its disk: what was not archived yet', `${unarchivedSeconds.toFixed(1)} s`],
        ['fault to all programs stopped, because nobody noticed before', seconds(faultAt, stoppedAt)],
        ['stopped to database restored and writable, broker emptied', seconds(stoppedAt, restoredAt)],
        ['programs behind the gateway ready', seconds(restoredAt, readyAt)],
        ['bank and books agree again', seconds(readyAt, recoveredAt)],
        ['gateway open, first 201', seconds(recoveredAt, firstAt)],
        ['**RTO**: stopped to first 201', seconds(stoppedAt, firstAt)],
      ],
    ),
    table(
      ['what', 'done', 'missing from before', 'lost by the restore', 'what became of them'],
      rows.map(({ what, done, missing, lost, after }) => [what, String(done), String(missing), String(lost), after]),
    ),
  ].join('\n\n');
}

/** Puts the tables into the page, in place of those of the last run. */
export async function keepDrill(measured: Measured): Promise<void> {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '# Proof\n';
  const made = `${BEGIN}\n\n${renderDrill(measured)}\n\n${END}`;
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  const next = before === undefined || after === undefined ? `${page.trimEnd()}\n\n${HEADING}\n\n${made}\n` : `${before}${made}${after}`;
  const { code } = await format('proof.md', next, { printWidth: 120 });
  writeFileSync(PAGE, code);
}
