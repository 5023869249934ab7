import { obtainBundle } from './bundle/bundle.ts';

// Builds the pages' bundle unless there is one of these sources. The image runs it, because its file system is
// read-only later.
const { script, style } = await obtainBundle();
process.stdout.write(
  `${script.path}: ${String(script.bytes.length)} bytes, ${style.path}: ${String(style.bytes.length)} bytes\n`,
);
