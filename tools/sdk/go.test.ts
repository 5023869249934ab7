import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../infrastructure/folders.ts';
import { GO_SDK, runGo } from './go.ts';
import { GO, missing } from './languages.ts';

const found = GO.find();
const describeHere = found === undefined ? describe.skip : describe;

/** What the README's examples take for granted. */
const GIVEN = `package main

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"time"

	"pay.example/pay"
)

var ctx = context.Background()
var client *pay.Client
var payment pay.NewCardPayment
var paid *pay.CardPayment
var order struct{ PaymentKey string }
var db *sql.DB
var keys []pay.CallbackKey
var err error

func chargeAgainAt(time.Time) {}
func main()                   {}
`;

it('finds Go', () => {
  if (found === undefined) process.stderr.write(`${missing(GO)}\n`);
  expect(process.env['CI'] === 'true' ? found : 'go').toBeDefined();
});

it('the SDK for Go has the licence of the repository', async () => {
  const licence = (path: string) => readFile(path, 'utf8');
  expect(await licence(join(GO_SDK, 'LICENSE'))).toBe(await licence(join(ROOT, 'LICENSE')));
});

describeHere.each([found ?? 'none'])('the SDK for %s', (go) => {
  it('is formatted as gofmt does, and go vet finds nothing', async () => {
    expect(await runGo(go.replace(/go$/, 'gofmt'), ['-l', '.'])).toBe('');
    expect(await runGo(go, ['vet', '.'])).toBe('');
    expect(await runGo(go, ['vet', 'build.go'])).toBe('');
  });

  it('has a README whose examples compile, and takes no float as an amount', async () => {
    const readme = await readFile(join(GO_SDK, 'README.md'), 'utf8');
    const [, ...examples] = [...readme.matchAll(/^```go\n(.*?)^```$/gms)].map(([, code = '']) => code);
    const functions = examples.map((code, at) => {
      const names = [...code.matchAll(/^(\w+)(?:, err)? :=/gm)].map(([, name]) => name);
      return `func example${String(at)}() {\n${code}\n_ = []any{err, ${names.join(', ')}}\n}\n`;
    });
    const folder = await mkdtemp(join(tmpdir(), 'go-readme-'));
    const vet = async (text: string) => {
      await writeFile(join(folder, 'main.go'), text);
      return await runGo(go, ['vet', '.'], folder);
    };
    try {
      await writeFile(
        join(folder, 'go.mod'),
        `module shop\n\ngo 1.19\n\nrequire pay.example/pay v0.1.0\n\nreplace pay.example/pay => ${GO_SDK}\n`,
      );
      const program = `${GIVEN}\n${functions.join('\n')}`;
      expect(examples.length).toBeGreaterThanOrEqual(5);
      expect(await vet(program)).toBe('');
      expect(await vet(program.replace('{Amount: total}', '{Amount: 10.5}'))).toMatch(/10\.5 \(untyped float constant\) as pay\.Amount/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('does what every SDK does, keeps every amount and receives callbacks', async () => {
    expect(await runGo(go, ['test', '-count=1', '-vet=off', '.'])).toMatch(/^ok {2}\tpay\.example\/pay\t[\d.]+s\n$/);
  });
});
