import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../infrastructure/folders.ts';

/** How a process ends that leaves `open` what keeps it. */
const ends = async (open: string) =>
  new Promise<{ code: unknown; said: string }>((resolve) => {
    const leave = JSON.stringify(join(ROOT, 'tools/testing/leave.ts'));
    const program = `import(${leave}).then(({ leaveAfter }) => { leaveAfter(1); ${open} });`;
    execFile(process.execPath, ['-e', program], { timeout: 60_000 }, (error, _, said) => {
      resolve({ code: error === null ? 0 : error.code, said });
    });
  });

it('ends a run that something keeps, as failed; one that nothing keeps ends by itself', async () => {
  const { code, said } = await ends(`require('node:net').createServer().listen(0);`);
  expect([code, said]).toEqual([1, 'Something that a test left open kept jest from ending, which counts as failed\n']);
  expect(await ends('')).toEqual({ code: 0, said: '' });
});
