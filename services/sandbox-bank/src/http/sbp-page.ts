import type { Express } from 'express';
import type { HttpDeps } from '../deps.ts';
import { confirmationPage, sbpButtons } from '../pages/confirmation.ts';
import { resultPage } from '../pages/result.ts';
import { answerSbp, findSbpOrder } from '../use-cases/answer-sbp.ts';
import { pressedButton, sendPage, wordsOf } from './page.ts';

/** The page behind `nspkurl`: GET shows it, POST decides, `/result` returns to the shop. */
export function sbpPageRoutes(app: Express, deps: HttpDeps): void {
  app.get('/sbp/:id', async (req, res) => {
    const words = wordsOf(req);
    const order = await findSbpOrder(deps, req.params.id);
    if (order.status === 'REGISTERED') {
      sendPage(res, confirmationPage(words, `/sbp/${req.params.id}`, order, sbpButtons(words)));
    } else {
      res.redirect(303, `/sbp/${req.params.id}/result?lang=${words.language}`);
    }
  });
  app.post('/sbp/:id', async (req, res) => {
    await answerSbp(deps, req.params.id, pressedButton(req, ['pay', 'refuse']) === 'pay');
    res.redirect(303, `/sbp/${req.params.id}/result?lang=${wordsOf(req).language}`);
  });
  app.get('/sbp/:id/result', async (req, res) => {
    const words = wordsOf(req);
    const order = await findSbpOrder(deps, req.params.id);
    if (order.status === 'REGISTERED') res.redirect(303, `/sbp/${req.params.id}?lang=${words.language}`);
    else sendPage(res, resultPage(words, `/sbp/${req.params.id}/result`, order));
  });
}
