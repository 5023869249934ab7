import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { LANGUAGES } from './languages.ts';

it('are all installed by the workflow, where .ci/run is not root', () => {
  const workflow = readFileSync(new URL('../../.github/workflows/ci.yml', import.meta.url), 'utf8');
  const [, installed = ''] = /apt-get install -y -q --no-install-recommends (.+)/.exec(workflow) ?? [];
  expect(installed.split(' ').toSorted()).toEqual(LANGUAGES.flatMap(({ packages }) => packages).toSorted());
});
