import { runCommand } from './bootstrap.mjs';

await runCommand(
  'tools/sdk/main.ts',
  `npm run build:sdk -- [folder]

Makes the package of the SDK for TypeScript in packages/sdk/dist, or in the folder.`,
);
