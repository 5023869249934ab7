import { obtainBundle } from './bundle/bundle.ts';

// Makes the pages' bundle if there is none of these sources: `RUN` of the image, where the file system is read-only later.
const { script, style } = await obtainBundle();
process.stdout.write(
  `${script.path}: ${String(script.bytes.length)} bytes, ${style.path}: ${String(style.bytes.length)} bytes\n`,
);
