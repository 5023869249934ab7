import { setTimeout as wait } from 'node:timers/promises';
import type { Credentials } from './certificates.ts';
import {
  BROKERS,
  DATABASES,
  etcdLeader,
  primaryHost,
  queueLeader,
  removeLeaderKey,
  standbyHost,
  STORES,
  switchOver,
  takesPart,
} from './cluster.ts';
import { startDirectWriter } from './direct-writer.ts';
import { cut, mend, type Host } from './network.ts';
import type { Injected, Row } from './run-row.ts';
import { signalHost, startHost, startPgBouncer } from './servers.ts';
import { tryEveryDoor } from './strangers.ts';
import type { Drill } from './system.ts';

/** The queue that callbacks come from. */
const QUEUE = 'notifier.inbox';
const PRIMARY_GOAL_SECONDS = 10;
/** Patroni's `ttl` of 20 s has to pass before anybody may say that a silent primary is none. */
const SILENT_GOAL_SECONDS = 30;
const BROKER_GOAL_SECONDS = 1;
/** What a platform may take to notice that a host is silent, and to switch it off. */
const FENCED_AFTER_MS = 4_000;

/** As when a machine loses its power; it starts again at the end of the fault. */
function lose({ place }: Drill, host: Host): Injected {
  signalHost(host, 'SIGKILL');
  return {
    end: () => {
      startHost(place, host);
    },
  };
}

const except = (hosts: readonly Host[], host: Host): Host[] => hosts.filter((one) => one !== host);

/** Cuts a host off while clients still reach it, and writes to it past everything that would find another one. */
async function cutOffPrimary(drill: Drill): Promise<Injected> {
  const host = await primaryHost();
  const others = [...except(DATABASES, host), ...STORES];
  const writer = await startDirectWriter(drill, host);
  cut(host, others);
  return {
    lastsSeconds: 35,
    end: () => {
      mend(host, others);
    },
    lostWrites: () => writer.lost(),
  };
}

/** Starts hosts again with certificates of an authority that the others do not know; at the end with their own. */
function startStrangely({ place, strangers }: Drill, hosts: readonly Host[]): Injected {
  const wrong: string[] = [];
  const again = (host: Host, credentials: Credentials) => {
    signalHost(host, 'SIGKILL');
    startHost({ ...place, credentials }, host);
  };
  for (const host of hosts) again(host, strangers);
  return {
    lastsSeconds: 20,
    wrong,
    end: async () => {
      for (const host of hosts) if (await takesPart(place, host)) wrong.push(`${host} takes part with a strange certificate`);
      for (const host of hosts) again(host, place.credentials);
    },
  };
}

export const ROWS: readonly Row[] = [
  {
    name: 'primary-killed',
    fault: 'every process of the primary’s PostgreSQL killed (SIGKILL); its Patroni lives',
    goalSeconds: PRIMARY_GOAL_SECONDS,
    inject: async () => {
      signalHost(await primaryHost(), 'SIGKILL', 'postgres');
      // Patroni starts it again as a standby.
      return { end: () => undefined };
    },
  },
  {
    name: 'primary-switched',
    fault: 'the primary moved to a standby on purpose, as before work on its host (`patronictl switchover`)',
    goalSeconds: PRIMARY_GOAL_SECONDS,
    inject: async ({ place }) => {
      await switchOver(place, await primaryHost());
      return { end: () => undefined };
    },
  },
  {
    name: 'primary-host-lost',
    fault: 'every process on the primary’s host killed, Patroni too; started again after 30 s',
    goalSeconds: SILENT_GOAL_SECONDS,
    inject: async (drill) => ({ ...lose(drill, await primaryHost()), lastsSeconds: 30 }),
  },
  {
    name: 'primary-host-fenced',
    fault:
      'every process on the primary’s host stopped as it stands (SIGSTOP); after 4 s killed, as by whoever switches the host off, and its key taken out of etcd; started again 30 s later',
    goalSeconds: PRIMARY_GOAL_SECONDS,
    inject: async (drill) => {
      const host = await primaryHost();
      signalHost(host, 'SIGSTOP');
      await wait(FENCED_AFTER_MS);
      const lost = lose(drill, host);
      await removeLeaderKey(drill.place);
      return { ...lost, lastsSeconds: 30 };
    },
  },
  {
    name: 'standby-host-lost',
    fault: 'every process on one standby’s host killed; started again after 10 s',
    goalSeconds: PRIMARY_GOAL_SECONDS,
    inject: async (drill) => lose(drill, await standbyHost()),
  },
  {
    name: 'broker-node-lost',
    fault: 'the broker node that leads the notifier’s queue killed; started again after 10 s',
    goalSeconds: BROKER_GOAL_SECONDS,
    inject: async (drill) => lose(drill, await queueLeader(drill.place, QUEUE)),
  },
  {
    name: 'pooler-killed',
    fault: 'one of two PgBouncers killed; started again after 10 s',
    goalSeconds: PRIMARY_GOAL_SECONDS,
    inject: ({ place }) => {
      signalHost('pool-1', 'SIGKILL', 'pgbouncer');
      return Promise.resolve({
        end: () => {
          startPgBouncer(place, 'pool-1');
        },
      });
    },
  },
  {
    name: 'etcd-leader-lost',
    fault: 'etcd’s leader killed; started again after 10 s',
    goalSeconds: PRIMARY_GOAL_SECONDS,
    inject: async (drill) => lose(drill, await etcdLeader(drill.place)),
  },
  {
    name: 'primary-frozen',
    fault: 'every process on the primary’s host stopped as it stands (SIGSTOP) for 35 s, then let go; a client writes to it past HAProxy',
    goalSeconds: SILENT_GOAL_SECONDS,
    inject: async (drill) => {
      const host = await primaryHost();
      const writer = await startDirectWriter(drill, host);
      signalHost(host, 'SIGSTOP');
      return {
        lastsSeconds: 35,
        end: () => {
          signalHost(host, 'SIGCONT');
        },
        lostWrites: () => writer.lost(),
      };
    },
  },
  {
    name: 'primary-cut-off',
    fault:
      'nothing passes between the primary and etcd or the other databases for 35 s, clients still reach it; one writes to it past HAProxy',
    goalSeconds: SILENT_GOAL_SECONDS,
    inject: cutOffPrimary,
  },
  {
    name: 'broker-cut-off',
    fault: 'nothing passes between the node that leads the notifier’s queue and the other two for 25 s, clients still reach it',
    goalSeconds: BROKER_GOAL_SECONDS,
    inject: async ({ place }) => {
      const host = await queueLeader(place, QUEUE);
      const others = except(BROKERS, host);
      cut(host, others);
      return {
        lastsSeconds: 25,
        end: () => {
          mend(host, others);
        },
      };
    },
  },
  {
    name: 'strangers',
    fault:
      'every port of the servers tried without TLS, without a certificate, and with one of another authority; all of it has to be refused',
    goalSeconds: BROKER_GOAL_SECONDS,
    inject: async (drill) => ({ wrong: await tryEveryDoor(drill), lastsSeconds: 0, end: () => undefined }),
  },
  {
    name: 'strange-certificates',
    fault:
      'a standby and a broker node killed, and started with certificates of another authority, which must not let them in; with their own after 20 s',
    goalSeconds: PRIMARY_GOAL_SECONDS,
    inject: async (drill) => {
      const leader = await queueLeader(drill.place, QUEUE);
      return startStrangely(drill, [await standbyHost(), except(BROKERS, leader)[0] ?? leader]);
    },
  },
];
