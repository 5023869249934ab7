// .ci/run: gets the languages whose SDKs are tested, as Debian packages.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallPackages, installPackages } from '../infrastructure/apt.ts';
import { LOCAL } from '../infrastructure/folders.ts';
import { LANGUAGES, missing } from './languages.ts';

const absent = () => LANGUAGES.filter(({ find }) => find() === undefined);

const wanted = absent();
if (wanted.length > 0 && canInstallPackages()) {
  mkdirSync(LOCAL, { recursive: true });
  await installPackages(
    wanted.flatMap(({ packages }) => packages),
    join(LOCAL, 'apt.log'),
  );
}
for (const language of absent()) {
  console.error(missing(language));
  process.exitCode = 1;
}
