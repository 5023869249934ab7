import { runService } from '@pay/shared/service/run-service.ts';
import { Config } from './config.ts';
import { createConsoleApp } from './http/app.ts';

await runService({ name: 'console', schema: Config, build: ({ log }) => ({ app: createConsoleApp(log) }) });
