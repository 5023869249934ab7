import type { Sample, Value } from './sample.ts';

export const JAVA_SETUP = `import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import pay.sdk.Client;
import pay.sdk.ListPage;
import pay.sdk.Records.*;

class Example {
    public static void main(String[] given) throws Exception {
        var env = System.getenv();
        var client = Client.builder()
            .baseUrl(env.get("API_URL")) // the origin: a signature covers the whole path
            .partnerID(env.get("PARTNER_ID"))
            .publicKey(env.get("PUBLIC_KEY")) // ssh-ed25519 AAAA…, exactly as registered
            .privateKeyPem(Files.readString(Path.of(env.get("PRIVATE_KEY_FILE"))))
            .build();
        // An example goes here.
    }
}
`;

/** The call of `sdks/java`. */
export function javaExample({ call, places, body, query, result, shown }: Sample): string {
  const given = places.map((place) => JSON.stringify(place));
  const show = `System.out.println(${result}.${shown}());`;
  if (call.answer.shape === 'page') {
    const filter = builder(call.query?.type ?? '', [...settersOf(query), '.pageToken(token)']).join('');
    return `for (var ${result} : ListPage.everyItem(token -> client.${call.name}(${[...given, filter].join(', ')}))) {\n    ${show}\n}\n`;
  }
  if (body !== undefined) given.push(builder(call.body?.type ?? '', settersOf(body)).join('\n    '));
  const called = `client.${call.name}(${given.join(', ')})`;
  return call.answer.shape === 'items' ? `for (var ${result} : ${called}) {\n    ${show}\n}\n` : `var ${result} = ${called};\n${show}\n`;
}

const builder = (type: string, setters: readonly string[]): string[] => [`${type}.builder()`, ...setters, '.build()'];

const settersOf = (record: Readonly<Record<string, Value>>): string[] =>
  Object.entries(record).map(([name, value]) => `.${name}(${literal(value)})`);

function literal(value: Value): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `List.of(${value.map((one: Value) => literal(one)).join(', ')})`;
  throw new Error('no example in Java has a record within a record');
}
