/** A server program missing on this machine, and the Debian package that provides it. */
export type MissingProgram = { readonly name: string; readonly debianPackage: string };

/** What the choice depends on. The Docker engine is queried only if it matters. */
type Machine = {
  readonly missing: readonly MissingProgram[];
  /** Why containers are not possible; undefined if they are. */
  readonly containersProblem: () => Promise<string | undefined>;
  readonly canInstallPackages: () => boolean;
};

/**
 * The first possible rung of 2 to 4, logged with the reasons against the earlier ones.
 * @throws Error with a single line that lists the options if none is possible
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
