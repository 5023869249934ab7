import { obtainBundle } from './bundle/bundle.ts';

// Builds the bundles of the console and of the portal unless there are those of these sources. The image runs it, because its file system
// is read-only later.
for (const pages of ['console', 'portal'] as const) {
  const { assets } = await obtainBundle(pages);
  for (const [path, { bytes }] of assets)
    process.stdout.write(`${path}: ${String(bytes.identity.length)} bytes, ${String(bytes.br.length)} compressed\n`);
}
