import { sdkDocument } from '../sdk-document.ts';
import { exported } from '../sdk-go-names.ts';
import type { Sample, Value } from './sample.ts';

export const GO_SETUP = `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"pay.example/pay"
)

var ctx = context.Background()
var client = newClient()

func newClient() *pay.Client {
	privateKey, err := os.ReadFile(os.Getenv("PRIVATE_KEY_FILE"))
	if err != nil {
		log.Fatal(err)
	}
	client, err := pay.NewClient(pay.Options{
		BaseURL:    os.Getenv("API_URL"), // the origin: a signature covers the whole path
		PartnerID:  os.Getenv("PARTNER_ID"),
		PublicKey:  os.Getenv("PUBLIC_KEY"), // ssh-ed25519 AAAA…, exactly as registered
		PrivateKey: string(privateKey),
	})
	if err != nil {
		log.Fatal(err)
	}
	return client
}
`;

const UNLESS = `if err != nil {\n\tlog.Fatal(err)\n}\n`;

/** The call of `sdks/go`. */
export function goExample({ call, places, body, query, result, shown }: Sample): string {
  const { answer, query: filter } = call;
  const given = ['ctx', ...places.map((place) => JSON.stringify(place))];
  const method = `client.${exported(call.name)}`;
  if (answer.shape === 'page') {
    const filters = [...members(query), 'PageToken: pageToken'].join(', ');
    const page = `${method}(${[...given, `pay.${exported(filter?.type ?? '')}{${filters}}`].join(', ')})`;
    return `${result}s := pay.EveryItem(func(pageToken string) (*pay.ListPage[pay.${exported(answer.type)}], error) {
	return ${page}
})
for ${result}s.Next() {
	fmt.Println(${result}s.Item().${exported(shown)})
}
if err := ${result}s.Err(); err != nil {
	log.Fatal(err)
}
`;
  }
  if (call.body !== undefined) given.push(record(exported(call.body.type), body ?? {}));
  if (call.hasParts) given.push('1');
  const called = `${method}(${given.join(', ')})`;
  if (answer.shape === 'items') {
    return `${result}s, err := ${called}\n${UNLESS}for _, ${result} := range ${result}s {\n\tfmt.Println(${result}.${exported(shown)})\n}\n`;
  }
  const value = `${result}.${exported(shown)}`;
  const show = mayBeNull(answer.type, shown) ? `if ${value} != nil {\n\tfmt.Println(*${value})\n}\n` : `fmt.Println(${value})\n`;
  return `${result}, err := ${called}\n${UNLESS}${show}`;
}

/** What may be null is a pointer. */
function mayBeNull(type: string, member: string): boolean {
  const schema = sdkDocument().records.find(({ name }) => name === type)?.schema.properties?.[member];
  return schema?.anyOf?.some((choice) => choice.type === 'null') ?? false;
}

/** A struct as gofmt formats it: its values are one below the other. */
function record(type: string, body: Readonly<Record<string, Value>>): string {
  const names = Object.keys(body).map(exported);
  const width = Math.max(...names.map((name) => name.length));
  const lines = Object.values(body).map((value, at) => `\t${`${names[at] ?? ''}:`.padEnd(width + 1)} ${literal(value)},\n`);
  return lines.length === 0 ? `pay.${type}{}` : `pay.${type}{\n${lines.join('')}}`;
}

/** @throws Error for a list of anything but events, or for a record in a record: their Go types would be missing. */
function literal(value: Value): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (!Array.isArray(value)) throw new Error('no example has a record in a record');
  return `&[]pay.ExtraEvent{${value.map((one: Value) => literal(one)).join(', ')}}`;
}

const members = (filter: Readonly<Record<string, string>>): string[] =>
  Object.entries(filter).map(([name, value]) => `${exported(name)}: ${JSON.stringify(value)}`);
