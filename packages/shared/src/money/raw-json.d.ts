/**
 * Text that JSON.stringify writes unchanged (ES2026 JSON.rawJSON; in the runtime, not yet in the compiler's library).
 */
interface RawJson {
  readonly rawJSON: string;
}

interface JSON {
  rawJSON(text: string): RawJson;
}
