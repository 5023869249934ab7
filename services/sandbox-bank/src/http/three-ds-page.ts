import type { Express } from 'express';
import type { HttpDeps } from '../deps.ts';
import { confirmationPage, threeDsButtons } from '../pages/confirmation.ts';
import { resultPage } from '../pages/result.ts';
import { findThreeDsOrder, finishThreeDs } from '../use-cases/finish-three-ds.ts';
import { pressedButton, sendPage, wordsOf } from './page.ts';

/** The 3-D Secure page: GET shows it, POST decides, `/result` returns to the shop. */
export function threeDsPageRoutes(app: Express, deps: HttpDeps): void {
  app.get('/3ds/:id', async (req, res) => {
    const words = wordsOf(req);
    const order = await findThreeDsOrder(deps, req.params.id);
    if (order.status === 'THREE_DS_REQUIRED') {
      sendPage(res, confirmationPage(words, `/3ds/${req.params.id}`, order, threeDsButtons(words)));
    } else {
      res.redirect(303, `/3ds/${req.params.id}/result?lang=${words.language}`);
    }
  });
  app.post('/3ds/:id', async (req, res) => {
    await finishThreeDs(deps, req.params.id, pressedButton(req, ['approve', 'decline']) === 'approve');
    res.redirect(303, `/3ds/${req.params.id}/result?lang=${wordsOf(req).language}`);
  });
  app.get('/3ds/:id/result', async (req, res) => {
    const words = wordsOf(req);
    const order = await findThreeDsOrder(deps, req.params.id);
    if (order.status === 'THREE_DS_REQUIRED') res.redirect(303, `/3ds/${req.params.id}?lang=${words.language}`);
    else sendPage(res, resultPage(words, `/3ds/${req.params.id}/result`, order));
  });
}
