import { writeFileSync } from 'node:fs';
import { sdkGo } from './sdk-go.ts';
import { sdkJava } from './sdk-java.ts';
import { sdkPhp } from './sdk-php.ts';
import { sdkPython } from './sdk-python.ts';
import { sdkTypes } from './sdk-types.ts';

const write = (path: string, text: string) => {
  writeFileSync(new URL(`../../../${path}`, import.meta.url), text);
};
for (const [name, text] of Object.entries(sdkTypes())) write(`packages/sdk/src/${name}.ts`, text);
for (const [name, text] of Object.entries(sdkPython())) write(`sdks/python/src/pay_sdk/${name}.py`, text);
write('sdks/php/src/Calls.php', sdkPhp());
for (const [name, text] of Object.entries(sdkGo())) write(`sdks/go/${name}.go`, text);
for (const [name, text] of Object.entries(sdkJava())) write(`sdks/java/src/pay/sdk/${name}.java`, text);
