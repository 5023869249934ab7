import { write, writeSync } from 'node:fs';

/** Somebody who does not read our log must not cost us the memory: past it lines are dropped, and counted. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/** Of one write, unless one line alone is longer. */
const BATCH_BYTES_MAX = 16 * 1024;
/** A pipe that is full is tried again after this; at the end of the process so often at most. */
const FULL_PIPE_MS = 100;
const FULL_PIPE_WAITS_MAX = 10;

const NEWLINE = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

type Options = {
  /** An open file or pipe. */
  readonly fd: number;
  /** Called with each loss, when it happens. */
  readonly onDropped: (lines: number) => void;
  /** Called when lines were lost and all that came after them is written. */
  readonly onRecovered: (lostLines: number) => void;
};

/**
 * Where the lines of a log go: written in the background, in order. What cannot be written (the disk is full, nobody has
 * the other end of the pipe) is dropped and counted, and the next line is tried again: a log is no reason to stop, nor one
 * not to stop. What still waits when the process exits is written then, unless that fails.
 */
export class LogOutput {
  readonly #options: Options;
  /** Whole lines, joined to what one write takes. */
  readonly #waiting: string[] = [];
  #waitingBytes = 0;
  #lastBytes = 0;
  /** What of one write is not yet written. */
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
        setTimeout(() => {
          this.#work();
        }, FULL_PIPE_MS).unref();
        return;
      }
      this.#hasFailed = error !== null;
      if (error === null) this.#took(bytes);
      else {
        this.#drop(linesIn(this.#batch));
        this.#batch = NOTHING;
      }
      this.#work();
    });
  }

  #rest(): void {
    this.#isAtWork = false;
    // To say it while nothing can be written would be one more line that is lost, for ever.
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
