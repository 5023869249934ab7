import CircuitBreaker from 'opossum';
import { circuitState } from '../telemetry/metrics.ts';

export type Breaker = {
  /** Runs `call`, unless the breaker is open: then throws CircuitOpenError at once, with nothing sent. */
  run<T>(call: () => Promise<T>): Promise<T>;
  readonly isOpen: boolean;
  close(): void;
};

/** The other side has failed so often recently that it is not called now. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

type Options = {
  readonly name: string;
  /** After this time one call is let through to see whether the other side has recovered. */
  readonly resetMs?: number;
  /** True for an error that says nothing about the other side's health, such as a refusal. */
  readonly isHealthy?: (error: unknown) => boolean;
};

/**
 * An opossum circuit breaker for calls that have their own deadline. Opens when at least half of ten or more calls in
 * ten seconds failed: fewer say nothing, and a longer window keeps a route closed after it has recovered.
 */
export function createBreaker(options: Options): Breaker {
  const { isHealthy } = options;
  const breaker = new CircuitBreaker(async (call: () => Promise<unknown>) => call(), {
    name: options.name,
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: 10,
    rollingCountTimeout: 10_000,
    resetTimeout: options.resetMs ?? 5_000,
    ...(isHealthy === undefined ? {} : { errorFilter: (error: unknown) => isHealthy(error) }),
  });
  const show = (state: 0 | 1 | 2) => () => {
    circuitState.set({ circuit: options.name }, state);
  };
  show(0)();
  breaker.on('close', show(0)).on('halfOpen', show(1)).on('open', show(2));
  return {
    async run<T>(call: () => Promise<T>): Promise<T> {
      let result: { value: T } | undefined;
      try {
        await breaker.fire(async () => {
          result = { value: await call() };
        });
      } catch (error) {
        const rejected = error instanceof Error && 'code' in error && error.code === 'EOPENBREAKER';
        throw rejected ? new CircuitOpenError(`${options.name} is not asked at the moment`) : error;
      }
      if (result === undefined) throw new Error('the breaker ended without a result');
      return result.value;
    },
    get isOpen() {
      return breaker.opened;
    },
    close: () => {
      breaker.shutdown();
    },
  };
}
