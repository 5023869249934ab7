import { describe, expect, it } from '@jest/globals';
import { matching, projectOf, testFiles, touchedBy } from './selection.ts';

const FILES = ['services/a/src/pay.db.test.ts', 'services/a/src/pay.test.ts', 'tools/tidy.test.ts'];

it.each([
  ['x.test.ts', 'unit'],
  ['x.db.test.ts', 'integration'],
  ['x.browser.test.ts', 'browser'],
  ['x.e2e.test.ts', 'e2e'],
  ['x.faults.test.ts', 'faults'],
  ['x.docker.test.ts', 'docker'],
  ['db.test.ts', 'unit'],
])('%s belongs to %s', (path, project) => {
  expect(projectOf(`services/a/src/${path}`)).toBe(project);
});

it('finds the test files of this repository, this one among them, and none of a dependency', () => {
  const files = testFiles();
  expect(files).toContain('tools/testing/selection.test.ts');
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
});

describe('words', () => {
  it('select every file whose path contains one of them, in any case', () => {
    expect(matching(FILES, ['PAY.db', 'tidy']).files).toEqual([FILES[0], FILES[2]]);
  });

  it('that no path contains are named', () => {
    expect(matching(FILES, ['pay', 'refnud'])).toEqual({ files: FILES.slice(0, 2), unknown: ['refnud'] });
  });
});

describe('a change', () => {
  it('touches the tests that import it, and no others', () => {
    expect(touchedBy(['services/a/src/pay.ts'], FILES, [FILES[1] ?? ''])).toEqual([FILES[1]]);
  });

  it('of a file that nothing imports touches the tests of its package', () => {
    expect(touchedBy(['services/a/migrations/0001.sql'], FILES, [])).toEqual(FILES.slice(0, 2));
  });

  it('of a document outside of the packages touches the tests of the repository itself', () => {
    expect(touchedBy(['docs/operate/running.md'], FILES, [])).toEqual([FILES[2]]);
  });
});
