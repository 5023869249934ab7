import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { sdkGo } from './sdk-go.ts';
import { sdkJava } from './sdk-java.ts';
import { sdkPhp } from './sdk-php.ts';
import { sdkPython } from './sdk-python.ts';

const SDKS = new URL('../../../sdks/', import.meta.url);

/** What the SDKs for Go, Java, PHP and Python take from the contract: sources, by their path below `sdks/`. */
export function sdkRecords(): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(sdkGo()).map(([name, text]) => [`go/${name}.go`, text] as const),
    ...Object.entries(sdkJava()).map(([name, text]) => [`java/src/pay/sdk/${name}.java`, text] as const),
    ['php/src/Calls.php', sdkPhp()],
    ...Object.entries(sdkPython()).map(([name, text]) => [`python/src/pay_sdk/${name}.py`, text] as const),
  ]);
}

/**
 * Writes them into `sdks/`, where they are not tracked: before a package is made of an SDK, and before its tests. A file that is
 * the same is left alone; another is replaced in one step, because tests of two runs may compile it meanwhile.
 */
export function writeSdkRecords(folder: URL = SDKS): void {
  for (const [path, text] of sdkRecords()) {
    const file = new URL(path, folder);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    const draft = new URL(`${path}.${String(process.pid)}`, folder);
    writeFileSync(draft, text);
    renameSync(draft, file);
  }
}
