import { write, writeSync } from 'node:fs';

/** A reader that stops reading our log must not exhaust our memory: beyond this, lines are dropped and counted. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/** Maximum size of one write, unless a single line is longer. */
const BATCH_BYTES_MAX = 16 * 1024;
/** Pause before a full pipe is tried again; when the process ends, it is tried at most this often. */
const FULL_PIPE_MS = 100;
const FULL_PIPE_WAITS_MAX = 10;

/** Pause after each write, in which the next lines are gathered: a write wakes a thread, which costs more than a line. */
const GATHER_MS = 10;

const NEWLINE = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

type Options = {
  /** An open file or pipe. */
  readonly fd: number;
  /** Called for each loss, when it happens. */
  readonly onDropped: (lines: number) => void;
  /** Called when lines were lost and everything after them has been written. */
  readonly onRecovered: (lostLines: number) => void;
};

/**
 * Writes the lines of a log in the background, in order; those that follow a write within 10 ms together. What cannot be written (the disk
 * is full, the pipe has no reader) is dropped and counted, and the next line is tried: a log must never stop the service, nor keep it from
 * stopping. What still waits when the process exits is written then, unless that fails.
 */
export class LogOutput {
  readonly #options: Options;
  /** Whole lines, joined up to the size of one write. */
  readonly #waiting: string[] = [];
  #waitingBytes = 0;
  #lastBytes = 0;
  /** The part of one write that is not written yet. */
  #batch = NOTHING;
  #isAtWork = false;
  #isInFlight = false;
  /** The file ends in the middle of a line whose rest was dropped. */
  #isTorn = false;
  #hasFailed = false;
  #lostLines = 0;

  constructor(options: Options) {
    this.#options = options;
    process.on('exit', () => {
      this.#writeRest();
    });
  }

  /** Takes one line with its newline. Never throws, never waits. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > WAITING_BYTES_MAX) {
      this.#drop(1);
      return;
    }
    const last = this.#waiting.at(-1);
    if (last !== undefined && this.#lastBytes + bytes <= BATCH_BYTES_MAX) {
      this.#waiting[this.#waiting.length - 1] = last + line;
      this.#lastBytes += bytes;
    } else {
      this.#waiting.push(line);
      this.#lastBytes = bytes;
    }
    this.#waitingBytes += bytes;
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    this.#work();
  }

  #work(): void {
    if (this.#batch.length === 0) this.#batch = this.#nextBatch();
    if (this.#batch.length === 0) {
      this.#rest();
      return;
    }
    this.#isInFlight = true;
    write(this.#options.fd, this.#batch, (error, bytes) => {
      this.#isInFlight = false;
      if (isFullPipe(error)) {
        this.#workLater(FULL_PIPE_MS);
        return;
      }
      this.#hasFailed = error !== null;
      if (error === null) this.#took(bytes);
      else {
        this.#drop(linesIn(this.#batch));
        this.#batch = NOTHING;
      }
      // A full batch need not wait for more.
      if (this.#batch.length > 0 || this.#waiting.length > 1) this.#work();
      else this.#workLater(GATHER_MS);
    });
  }

  #workLater(ms: number): void {
    setTimeout(() => {
      this.#work();
    }, ms).unref();
  }

  #rest(): void {
    this.#isAtWork = false;
    // Reporting it while nothing can be written would only lose one more line.
    if (this.#lostLines === 0 || this.#hasFailed) return;
    const lostLines = this.#lostLines;
    this.#lostLines = 0;
    this.#options.onRecovered(lostLines);
  }

  #nextBatch(): Buffer {
    const lines = this.#waiting.shift();
    if (lines === undefined) return NOTHING;
    this.#waitingBytes -= Buffer.byteLength(lines);
    return Buffer.from(this.#isTorn ? `\n${lines}` : lines);
  }

  #took(bytes: number): void {
    if (bytes > 0) this.#isTorn = this.#batch[bytes - 1] !== NEWLINE;
    this.#batch = this.#batch.subarray(bytes);
  }

  #drop(lines: number): void {
    this.#lostLines += lines;
    this.#options.onDropped(lines);
  }

  #writeRest(): void {
    // What a thread has in its hands it writes by itself.
    if (this.#isInFlight || this.#batch.length === 0) this.#batch = this.#nextBatch();
    for (let waits = 0; this.#batch.length > 0;) {
      try {
        this.#took(writeSync(this.#options.fd, this.#batch));
        if (this.#batch.length === 0) this.#batch = this.#nextBatch();
      } catch (error) {
        if (!isFullPipe(error) || waits === FULL_PIPE_WAITS_MAX) return;
        waits += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
      }
    }
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === NEWLINE) lines += 1;
  return lines;
}

function isFullPipe(error: unknown): boolean {
  return Error.isError(error) && 'code' in error && error.code === 'EAGAIN';
}
