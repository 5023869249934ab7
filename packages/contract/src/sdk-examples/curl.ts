import type { Sample } from './sample.ts';

/** A shell with curl and OpenSSL 3, and nothing of ours. */
export const CURL_SETUP = `API_URL=https://api.example
PARTNER_ID=demo-partner
PUBLIC_KEY=$(cat public.txt) # ssh-ed25519 AAAA…, exactly as registered
PRIVATE_KEY_FILE=private.pem

# authorize METHOD TARGET [IDEMPOTENCY_KEY] [BODY] prints the Authorization header of one attempt. It takes a query as it is:
# write it sorted by name, and escaped.
authorize() {
  local path=\${2%%\\?*} query= timestamp nonce hash sign canonical
  case $2 in *\\?*) query=\${2#*\\?} ;; esac
  timestamp=$(date +%s)
  nonce=$(openssl rand -hex 16)
  hash=$(printf '%s' "\${4-}" | openssl dgst -sha256 -r | cut -d' ' -f1)
  canonical=$(mktemp)
  printf '%s\\n%s\\n%s\\n%s\\n%s\\n%s\\n%s' "$timestamp" "$nonce" "$1" "$path" "$query" "\${3-}" "$hash" > "$canonical"
  sign=$(openssl pkeyutl -sign -inkey "$PRIVATE_KEY_FILE" -rawin -in "$canonical" | base64 -w0)
  rm "$canonical"
  printf '{"partnerID":"%s","key":"%s","sign":"%s","timestamp":"%s","nonce":"%s"}' \\
    "$PARTNER_ID" "$PUBLIC_KEY" "$sign" "$timestamp" "$nonce"
}
`;

/** The call with curl; `authorize` is the function of the setup. */
export function curlExample({ call, target, sentBody }: Sample): string {
  const { method, takesKey } = call;
  const body = sentBody === undefined ? undefined : JSON.stringify(sentBody, null, 2);
  const url = `"$API_URL${target}"`;
  const signed = [method, target.includes('?') ? `'${target}'` : target];
  if (takesKey || body !== undefined) signed.push(takesKey ? '"$KEY"' : "''");
  if (body !== undefined) signed.push('"$BODY"');
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${url}`,
    `-H "Authorization: $(authorize ${signed.join(' ')})"`,
    ...(takesKey ? ['-H "Idempotency-Key: $KEY"'] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, '--data-binary "$BODY"']),
  ];
  return [
    ...(takesKey ? ['KEY=$(openssl rand -hex 16) # repeat with the same key and body'] : []),
    ...(body === undefined ? [] : [`BODY='${body}'`]),
    lines.join(' \\\n  '),
    '',
  ].join('\n');
}
