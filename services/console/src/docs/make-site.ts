import { makeSite } from './cached-site.ts';

// Makes the documentation of these sources unless it is there. The image runs it, because its file system is read-only
// later; elsewhere the console does when somebody asks.
const { files, bytes } = await makeSite();
process.stdout.write(`documentation: ${String(files)} files, ${String(bytes)} bytes\n`);
