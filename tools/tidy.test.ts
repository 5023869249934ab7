import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ERRORS } from '../packages/shared/src/errors/catalogue.ts';
import { anchorsOf } from './contract/citations.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

/** Generated files, as in `.gitignore`. */
const MADE = /^(node_modules|\.local|artifacts|coverage|dist|\.git)$/;

/** Every text file of the project. Found without git, which a machine that runs the tests need not have. */
const FILES = globSync(['**/*.{ts,tsx,mts,js,mjs,cjs,json,md,yml,yaml,sql,css,html}', '.*.{cjs,json}'], {
  cwd: ROOT,
  exclude: (path) => MADE.test(basename(path)),
}).filter((path) => !/^pnpm-lock\.yaml$|(^|\/)migrations\/meta\//.test(path));

/** `path:line` of every line that matches. */
function linesWith(pattern: RegExp, files: readonly string[] = FILES): string[] {
  return files.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${String(index + 1)}`] : [])),
  );
}

/** The names retired by `docs/glossary.md`: the code spans in its last column. */
const RETIRED = read('docs/glossary.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .flatMap((line) => [...(line.split('|')[4] ?? '').matchAll(/`([^`]+)`/g)].flatMap(([, word]) => word ?? []));

/** Our own rules behind the contract: the file that keeps each, and the test that proves it, as `file: title`. */
const rules = z.record(z.string(), z.tuple([z.string(), z.string()])).parse(JSON.parse(read('docs/spec/rules.json')));

/** Whether the file has a test of this title. In code it may be in any kind of quotes; a page has it plain. */
function hasTest(file: string, title: string): boolean {
  if (!existsSync(resolve(ROOT, file))) return false;
  const source = read(file).replaceAll("\\'", "'");
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted));
}

describe('the project', () => {
  it('has a changelog with what is pending on top', () => {
    expect(read('CHANGELOG.md')).toMatch(/^# Changelog\n[^#]*## Pending\n/);
  });

  it('has a changelog with a line for each change, under one of its kinds, and partners apart from operators', () => {
    const [, ...versions] = read('CHANGELOG.md').split(/^## /m);
    const KINDS = ['Before you update', 'Breaking', 'Security', 'Added', 'Changed', 'Fixed', 'Removed'];
    for (const version of versions) {
      const kinds = [...version.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind);
      expect(kinds).toEqual(KINDS.filter((kind) => kinds.includes(kind)));
      const readers = [...version.matchAll(/^#### (.+)$/gm)].map(([, reader]) => reader);
      expect(readers.filter((reader) => !/^(?:Partners|Operators|Settings|Migrations|Order of replicas)$/.test(reader ?? ''))).toEqual([]);
    }
    const lines = read('CHANGELOG.md').split('\n');
    expect(lines.filter((line) => line.startsWith('- ') && line.length > 200)).toEqual([]);
    expect(lines.filter((line) => /^\s+\S/.test(line))).toEqual([]);
  });

  it('leaves no note to do something without saying where it is tracked', () => {
    expect(linesWith(/\b(TODO|FIXME|XXX|HACK)\b(?!\(#\d+\))/).filter((at) => !at.startsWith('tools/tidy.test.ts'))).toEqual([]);
  });

  it('names no folder of the machine it was written on', () => {
    expect(linesWith(/(^|[\s"'`(=])\/(home|root|Users|work|tmp\/team)\/\w/)).toEqual([]);
  });

  it('does not switch a rule off where the code breaks it', () => {
    const sources = FILES.filter((path) => /\.(ts|tsx|mts)$/.test(path) && path !== 'tools/tidy.test.ts');
    expect(linesWith(/(?:es|ox)lint-disable|@ts-ignore|@ts-nocheck|@ts-expect-error/, sources)).toEqual([]);
  });

  it('uses no name that the glossary gave up, in a text or as the name of a file', () => {
    expect(RETIRED.length).toBeGreaterThan(40);
    const retired = new RegExp(`(?<![\\w-])(${RETIRED.join('|')})(?![\\w-])`);
    const present = FILES.filter((path) => !/^docs\/glossary\.md$|^CHANGELOG\.md$|\/migrations\//.test(path));
    expect([...linesWith(retired, present), ...present.filter((path) => retired.test(path))]).toEqual([]);
  });

  it('ends only sessions of its own database: the tests share a server', () => {
    const killers = FILES.filter((path) => path.endsWith('.db.test.ts'));
    const kills = killers.flatMap((path) => read(path).match(/pg_(?:terminate|cancel)_backend\(pid\)[^`;]*/g) ?? []);
    expect(kills.length).toBeGreaterThan(2);
    expect(kills.filter((statement) => !statement.includes('datname = current_database()'))).toEqual([]);
  });

  it('begins titles of tests with words: the code of a case or a finding stands at their end', () => {
    const code = /^\s*(?:(?:it|describe)[.(]\S*\s?|\]\)\(|\[)?['"`](?:[A-Z]{1,2}\d{1,3}[a-z]?(?:, | )?)+:? /;
    const tests = FILES.filter((path) => /\.(?:test)\.ts$/.test(path) && !path.endsWith('card-data.test.ts'));
    expect(linesWith(code, tests)).toEqual([]);
  });

  it('has no barrel', () => {
    expect(FILES.filter((path) => /(^|\/)index\.ts$/.test(path))).toEqual([]);
  });
});

describe('docs/partners/errors.md', () => {
  it('tells partners about every code', () => {
    const page = read('docs/partners/errors.md');
    expect(Object.keys(ERRORS).filter((code) => !page.includes(`| \`${code}\``))).toEqual([]);
  });
});

describe('docs/partners/states.md', () => {
  it('says of every transition who causes it', () => {
    const rows = read('docs/partners/states.md').match(/^\| [A-Z_]+ +\|.+$/gm) ?? [];
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !/\| (?:buyer|partner|bank|operator|time|receiver|service)\b[^|]*\|$/.test(row))).toEqual([]);
  });
});

describe('docs/spec/rules.json', () => {
  it('names for every rule a file and a test that are there', () => {
    const rows = Object.entries(rules).map(([rule, [file, proof]]) => ({ rule, file, proof }));
    expect(rows.length).toBeGreaterThan(100);
    const withoutFile = rows.filter(({ file }) => !existsSync(resolve(ROOT, file)));
    const withoutTest = rows.filter(({ proof }) => {
      const [, test = '', title = ''] = /^(\S+): (.+)$/.exec(proof) ?? [];
      return !hasTest(test, title);
    });
    expect({ withoutFile, withoutTest }).toEqual({ withoutFile: [], withoutTest: [] });
  });
});

describe('docs/security', () => {
  /** By page, section and the first two cells of a row: the test that proves it, as `file: title`, or the word operator. */
  const proofs = z
    .record(z.string(), z.record(z.string(), z.record(z.string(), z.string())))
    .parse(JSON.parse(read('docs/security/proofs.json')));
  const rows = globSync('docs/security/*.md', { cwd: ROOT }).flatMap((path) =>
    read(path)
      .split(/^##+ /m)
      .flatMap((text) => {
        const [section = '', ...lines] = text.split('\n');
        return lines
          .filter((line) => line.startsWith('|'))
          .filter((line, index, all) => ![line, all[index + 1] ?? ''].some((one) => /^\|[-| ]+\|$/.test(one)))
          .map((line) => ({
            page: basename(path, '.md'),
            section,
            line,
            key: line
              .split('|')
              .slice(1, 3)
              .map((cell) => cell.trim())
              .join(' · '),
          }));
      }),
  );
  const proofOf = ({ page, section, key }: (typeof rows)[number]): string => proofs[page]?.[section]?.[key] ?? '';

  it('has for every row a proof, which is a test that is there, or an operator', () => {
    expect(rows.length).toBeGreaterThan(200);
    const unproved = rows.filter((row) => {
      const [, test, title] = /^(\S+): (.+)$/.exec(proofOf(row)) ?? [];
      return test === undefined || title === undefined ? proofOf(row) !== 'operator' : !hasTest(test, title);
    });
    expect(unproved).toEqual([]);
  });

  it('says what the operator does, where a row is the operator’s', () => {
    const left = rows.filter((row) => proofOf(row) === 'operator' && row.section !== 'Staff');
    expect(left.length).toBeGreaterThan(30);
    expect(left.filter(({ line }) => !/\boperator\b/.test(line))).toEqual([]);
  });

  it('has no proof of a row that is gone', () => {
    const named = Object.values(proofs).flatMap((sections) => Object.values(sections).flatMap((keys) => Object.keys(keys)));
    expect(named.toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
  });
});

describe('the documents', () => {
  const pages = FILES.filter((path) => path.endsWith('.md'));

  it('link to nothing that is not there', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
        if (!existsSync(resolve(ROOT, target))) return [`${page}: ${link}`];
        return anchor === undefined || anchorsOf(read(target)).has(anchor) ? [] : [`${page}: ${link}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('name no file that is not there', () => {
    // The changelog names files as they were.
    const current = pages.filter((page) => page !== 'CHANGELOG.md');
    const gone = current.flatMap((page) =>
      [...read(page).matchAll(/`((?:packages|services|tools|e2e|bench|docs|src|\.github)\/[\w./-]+)`/g)].flatMap(([, path = '']) =>
        [ROOT, resolve(ROOT, dirname(page))].some((base) => existsSync(resolve(base, path))) ? [] : [`${page}: ${path}`],
      ),
    );
    expect(gone).toEqual([]);
  });

  it('have tables whose rows have as many cells as their heading', () => {
    const cells = (line: string): number => line.replaceAll(/\\\|/g, '').split('|').length;
    const uneven = pages.flatMap((page) => {
      const lines = read(page).split('\n');
      return lines.flatMap((line, index) => {
        const before = lines[index - 1] ?? '';
        const isUneven = line.startsWith('|') && before.startsWith('|') && cells(line) !== cells(before);
        return isUneven ? [`${page}:${String(index + 1)}`] : [];
      });
    });
    expect(uneven).toEqual([]);
  });

  it('begin with a README that is read in one go: at most 500 words', () => {
    expect(read('README.md').trim().split(/\s+/).length).toBeLessThanOrEqual(500);
  });

  it('break no code span over two lines', () => {
    const broken = pages.flatMap((page) => {
      const text = read(page).replaceAll(/^ *(?:\d+\. |- )?```[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
      return text.split('\n').flatMap((line, index) => (line.split('`').length % 2 === 0 ? [`${page}:${String(index + 1)}`] : []));
    });
    expect(broken).toEqual([]);
  });
});

describe('docs/benchmarks.md', () => {
  it('has a description and figures of every bench, and of no other', () => {
    const [, list = ''] = /const BENCHES[^{]*\{([^}]+)\}/.exec(read('bench/main.ts')) ?? [];
    const benches = [...list.matchAll(/(\w+): bench/g)].map(([, name]) => name).toSorted();
    const tables = read('docs/benchmarks.md').split('\n## ').slice(1, 3);
    for (const table of tables) {
      expect([...new Set([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name))].toSorted()).toEqual(benches);
    }
  });
});

describe('docs/decisions', () => {
  const decisions = FILES.filter((path) => /^docs\/decisions\/(?!README).+\.md$/.test(path)).map((path) => {
    const text = read(path);
    return {
      path,
      text,
      name: basename(path, '.md'),
      title: /^# (.+)\n\nStatus: (?:accepted|proposed|deprecated|superseded)\n\n/.exec(text)?.[1],
    };
  });

  it('says of each decision its status, context, consequences and what would change it', () => {
    expect(decisions.length).toBeGreaterThan(30);
    for (const { path, text, title } of decisions) {
      expect({ path, title }).toEqual({ path, title: expect.any(String) });
      expect([path, ...[...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)]).toEqual([
        path,
        'Context',
        'Decision',
        'Consequences',
        'What would change our mind',
      ]);
    }
  });

  it('has pages that are read in one go: none is longer than 600 words', () => {
    const lengths = decisions.map(({ path, text }) => ({
      path,
      words: text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0,
    }));
    expect(lengths.filter(({ words }) => words > 600)).toEqual([]);
  });

  it('has an index with a line for each, as its heading says', () => {
    const lines = [...read('docs/decisions/README.md').matchAll(/^- \[(.+)\]\((.+)\.md\)$/gm)].map(
      ([, title = '', name = '']) => `${name}: ${title}`,
    );
    expect(lines.toSorted()).toEqual(decisions.map(({ name, title = '' }) => `${name}: ${title}`).toSorted());
  });
});
