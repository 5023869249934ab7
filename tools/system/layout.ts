import type { SystemState } from './state.ts';

/**
 * Where a system's programs listen, and the origins that reach them. A listener is named `<program>-<replica>`, with
 * `-private`, `-notifications` or `-control` appended for additional ones.
 */
export type Layout = {
  readonly host: string;
  readonly port: (listener: string) => number;
  /** For the other programs. */
  readonly origin: (listener: string) => string;
  /** For browsers and partners. */
  readonly publicOrigin: (listener: string) => string;
};

/** The edge's listener in front of the replicas of a public one. */
export const edgePortName = (listener: string) => `edge-${listener}`;

/** Everything on this machine's loopback, on the chosen ports. */
export function loopbackLayout(state: SystemState): Layout {
  const port = (listener: string) => {
    const chosen = state.ports[listener];
    if (chosen === undefined) throw new Error(`no port was chosen for ${listener}`);
    return chosen;
  };
  const origin = (listener: string) => `http://127.0.0.1:${String(port(listener))}`;
  const publicOrigin = (listener: string) => origin(edgePortName(listener) in state.ports ? edgePortName(listener) : listener);
  return { host: '127.0.0.1', port, origin, publicOrigin };
}

const CONTAINER_PORTS = { private: 9090, notifications: 8084, control: 8085 } as const;
const isFurther = (name: string | undefined): name is keyof typeof CONTAINER_PORTS => name !== undefined && name in CONTAINER_PORTS;

/** One container per program, named after it; `published` has the origins of the listeners that the host publishes. */
export function containerLayout(published: Readonly<Record<string, string>>): Layout {
  const parts = (listener: string) => {
    const [, program = '', further] = /^(.*)-\d+(?:-([a-z]+))?$/.exec(listener) ?? [];
    return { program, port: isFurther(further) ? CONTAINER_PORTS[further] : 8080 };
  };
  return {
    host: '0.0.0.0',
    port: (listener) => parts(listener).port,
    origin: (listener) => `http://${parts(listener).program}:${String(parts(listener).port)}`,
    publicOrigin: (listener) => {
      const origin = published[listener];
      if (origin === undefined) throw new Error(`${listener} is not published`);
      return origin;
    },
  };
}
