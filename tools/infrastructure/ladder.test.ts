import { describe, expect, it } from '@jest/globals';
import { firstRung } from './ladder.ts';

const POSTGRES = { name: 'PostgreSQL', debianPackage: 'postgresql' };
const RABBIT = { name: 'RabbitMQ', debianPackage: 'rabbitmq-server' };

async function choose(missing: (typeof POSTGRES)[], containersProblem: string | undefined, root: boolean) {
  const lines: string[] = [];
  const machine = {
    missing,
    containersProblem: () => Promise.resolve(containersProblem),
    canInstallPackages: () => root,
  };
  return { rung: await firstRung(machine, (line) => lines.push(line)), lines };
}

describe('the ladder', () => {
  it('takes the programs of the machine before anything else', async () => {
    expect(await choose([], undefined, true)).toEqual({
      rung: 2,
      lines: ['rung 2: programs of this machine, as private instances'],
    });
  });

  it('takes containers where one program is missing', async () => {
    expect(await choose([RABBIT], undefined, true)).toEqual({
      rung: 3,
      lines: ['not rung 2: this machine has no RabbitMQ', 'rung 3: containers'],
    });
  });

  it('installs only what is missing', async () => {
    expect(await choose([RABBIT], 'no Docker engine answers', true)).toEqual({
      rung: 4,
      lines: [
        'not rung 2: this machine has no RabbitMQ',
        'not rung 3: no Docker engine answers',
        'rung 4: installing rabbitmq-server (no service is started), then private instances',
      ],
    });
  });

  it('names the ways when none is open', async () => {
    await expect(choose([POSTGRES, RABBIT], 'no Docker engine answers', false)).rejects.toThrow(
      /^PostgreSQL and RabbitMQ are needed: set /,
    );
  });
});
