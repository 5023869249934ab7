/** A server that is not on this machine, and the Debian package that brings it. */
export type MissingProgram = { readonly name: string; readonly debianPackage: string };

/** What the choice depends on. The engine is asked only when it matters. */
type Machine = {
  readonly missing: readonly MissingProgram[];
  /** Why containers can't be had; undefined when they can. */
  readonly containersProblem: () => Promise<string | undefined>;
  readonly canInstallPackages: () => boolean;
};

/**
 * The first of rungs 2 to 4 that holds, said with the reason why the ones before do not.
 * @throws Error with one line that names the ways, when none holds.
 */
export async function firstRung(machine: Machine, log: (line: string) => void): Promise<2 | 3 | 4> {
  const { missing } = machine;
  if (missing.length === 0) {
    log('rung 2: programs of this machine, as private instances');
    return 2;
  }
  log(`not rung 2: this machine has no ${missing.map(({ name }) => name).join(' and no ')}`);
  const problem = await machine.containersProblem();
  if (problem === undefined) {
    log('rung 3: containers');
    return 3;
  }
  log(`not rung 3: ${problem}`);
  if (machine.canInstallPackages()) {
    const packages = missing.map(({ debianPackage }) => debianPackage).join(' and ');
    log(`rung 4: installing ${packages} (no service is started), then private instances`);
    return 4;
  }
  throw new Error(
    'PostgreSQL and RabbitMQ are needed: set DATABASE_URL and AMQP_URL, or install postgresql and rabbitmq-server, or start Docker, or run as root on Debian',
  );
}
