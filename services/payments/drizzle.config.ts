import { defineConfig } from 'drizzle-kit';

// `npx drizzle-kit generate --name <what_it_does>` in this folder writes the next migration; it is reviewed before it lands.
export default defineConfig({ dialect: 'postgresql', schema: './src/db/**/*schema.ts', out: './migrations' });
