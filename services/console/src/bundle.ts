import { obtainBundle } from './bundle/bundle.ts';

// Builds the pages' bundle unless there is one of these sources. The image runs it, because its file system is
// read-only later.
const { assets } = await obtainBundle();
for (const [path, { bytes }] of assets)
  process.stdout.write(`${path}: ${String(bytes.identity.length)} bytes, ${String(bytes.br.length)} compressed\n`);
