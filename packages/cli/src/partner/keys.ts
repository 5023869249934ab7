import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { convertKey, generateKeys, inspectKey, type KeyPair } from '@pay/sdk/keys.ts';
import { contextOf } from '../context.ts';
import { usage } from '../fault.ts';
import { facts } from '../output.ts';

/** `pay keys`: the two key formats that the API requires; no common tool writes both. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('make, convert and look at Ed25519 keys');
  keys
    .command('generate')
    .description('generate a key pair: PKCS#8 private key, OpenSSH public line')
    .option('--out <file>', 'write the private key there (mode 0600) and the public line to FILE.pub')
    .action((options: { out?: string }, command: Command) => {
      show(command, generateKeys(), options.out);
    });
  keys
    .command('convert <file>')
    .description('convert an OpenSSH or PKCS#8 private key file; - is stdin')
    .option('--out <file>', 'write the private key there (mode 0600) and the public line to FILE.pub')
    .action((file: string, options: { out?: string }, command: Command) => {
      show(command, convertKey(readText(file)), options.out);
    });
  keys
    .command('inspect <file>')
    .description('show the type, public line and fingerprint of a key file; - is stdin')
    .action((file: string, _options: unknown, command: Command) => {
      const inspected = inspectKey(readText(file));
      contextOf(command).output.result(facts(inspected), inspected);
    });
}

function show(command: Command, pair: KeyPair, out: string | undefined): void {
  const { output } = contextOf(command);
  const { publicKey, fingerprint, privateKeyPem } = pair;
  if (out === undefined) {
    output.result([privateKeyPem.trimEnd(), publicKey, fingerprint], pair);
    return;
  }
  if (existsSync(out)) throw usage(`${out} already exists: keys are never overwritten`);
  writeFileSync(out, privateKeyPem, { mode: 0o600, flag: 'wx' });
  writeFileSync(`${out}.pub`, `${publicKey}\n`);
  const written = { privateKeyFile: out, publicKeyFile: `${out}.pub`, publicKey, fingerprint };
  output.result(facts(written), written);
}

function readText(file: string): string {
  return readFileSync(file === '-' ? 0 : file, 'utf8');
}
