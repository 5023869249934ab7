/** The entries of the package: what is imported, and the source behind it. */
export const ENTRIES = {
  '.': 'main',
  './fastify': 'fastify',
  './event-store': 'event-store',
  './event-stream': 'event-stream',
  './postgres-event-store': 'postgres-event-store',
  './web': 'web',
} as const;

/** The oldest Node that the package runs on, and is tested with. */
export const OLDEST_NODE = '20.19.0';

/**
 * `package.json` of the tarball. That of the repository names the sources and `workspace:`, which nobody else can install.
 * `repositoryUrl` is where the sources are, as far as the build knows it.
 */
export function manifestOf(source: { readonly name: string; readonly version: string }, repositoryUrl?: string) {
  return {
    name: source.name,
    version: source.version,
    description: 'Client of the payment integration service: signed calls, verified callbacks, exact amounts. No dependencies.',
    keywords: ['payments', 'sbp', 'recurring-payments', 'refunds', 'ed25519', 'webhooks'],
    license: 'Apache-2.0',
    ...(repositoryUrl === undefined ? {} : { repository: { type: 'git', url: `git+${repositoryUrl}.git`, directory: 'packages/sdk' } }),
    type: 'module',
    sideEffects: false,
    engines: { node: `>=${OLDEST_NODE}` },
    main: './main.cjs',
    module: './main.mjs',
    types: './main.d.cts',
    exports: {
      ...Object.fromEntries(
        Object.entries(ENTRIES).map(([path, file]) => [
          path,
          {
            import: { types: `./${file}.d.mts`, default: `./${file}.mjs` },
            require: { types: `./${file}.d.cts`, default: `./${file}.cjs` },
          },
        ]),
      ),
      './package.json': './package.json',
    },
  };
}
