import { z } from 'zod';
import { moment, text } from '@pay/shared/http/fields.ts';
import { body, issuedId, oneOf, rublesString } from '../fields.ts';
import { POINT_METHODS } from '../states.ts';
import { routeId, rublesStringInput } from './fields.ts';
import { listOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { ACQUIRING_ROUTE_STATUSES } from './states.ts';

/** Which acquirer account processes a payment. */

export const AcquiringRoutePath = z.object({ routeId });
export const PointMethodPath = z.object({ paymentPointId: issuedId, method: oneOf(POINT_METHODS) });

type Bounds = { readonly minAmount?: bigint | undefined; readonly maxAmount?: bigint | undefined };

/** Parsed to kopecks; an omitted limit stays omitted. */
const withKopecks = <Fields extends Bounds>({ minAmount, maxAmount, ...rest }: Fields) => ({
  ...rest,
  ...(minAmount === undefined ? {} : { minAmountKopecks: minAmount }),
  ...(maxAmount === undefined ? {} : { maxAmountKopecks: maxAmount }),
});

const bounds = { minAmount: rublesStringInput.optional(), maxAmount: rublesStringInput.optional() };

export const CreateAcquiringRoute = namedForOperators(
  'CreateAcquiringRoute',
  'A new account at an acquirer. The payments service checks that the connector exists.',
  body({
    routeId: text.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 Latin letters, digits, dots, underscores or hyphens'),
    connector: text,
    ...bounds,
  }).transform(withKopecks),
);

export const SetAcquiringRouteLimits = namedForOperators(
  'SetAcquiringRouteLimits',
  'The range of amounts that a route accepts.',
  body({ minAmount: rublesStringInput, maxAmount: rublesStringInput }).transform(({ minAmount, maxAmount }) => ({
    minAmountKopecks: minAmount,
    maxAmountKopecks: maxAmount,
  })),
);

export const SetPointRoutes = namedForOperators(
  'SetPointRoutes',
  "The complete list, in the order they are tried. If empty, the point's default route is used.",
  body({ routes: z.array(body({ routeId, ...bounds }).transform(withKopecks)).max(10) }),
);

const route = z.object({
  routeId: z.string(),
  connector: z.string(),
  status: z.enum(ACQUIRING_ROUTE_STATUSES),
  minAmount: rublesString,
  maxAmount: rublesString,
});

export const AcquiringRoute = namedForOperators(
  'AcquiringRoute',
  'An account at an acquirer, through which payments are processed.',
  route.extend({ createdAt: moment }),
);
export type AcquiringRoute = RecordOf<typeof AcquiringRoute>;
export const AcquiringRouteList = namedForOperators('AcquiringRouteList', 'All acquiring routes.', listOf(AcquiringRoute));

export const PointAcquiringRoutes = namedForOperators(
  'PointAcquiringRoutes',
  "A payment point's routes for a method, in the order they are tried.",
  z.object({ paymentPointId: z.string(), method: z.enum(POINT_METHODS), routes: z.array(route) }),
);
export type PointAcquiringRoutes = RecordOf<typeof PointAcquiringRoutes>;
