import type { Express } from 'express';
import type { Deps } from '../deps.ts';
import { cancelByBuyer } from '../use-cases/cancel-by-buyer.ts';
import { openForm } from '../use-cases/open-form.ts';
import { payByCard } from '../use-cases/pay-by-card.ts';
import { returnFromBank } from '../use-cases/return-from-bank.ts';
import { createForm } from './form.ts';

/** The hosted form over this service's use cases: an origin of its own, served on FORM_PORT. */
export function createFormApp(deps: Deps): Express {
  return createForm({
    log: deps.log,
    openForm: (formToken) => openForm(deps, formToken),
    payByCard: (command) => payByCard(deps, command),
    cancelByBuyer: (formToken) => cancelByBuyer(deps, formToken),
    returnFromBank: (formToken) => returnFromBank(deps, formToken),
  });
}
