import type { MEASUREMENT_UNITS, Receipt } from '@pay/contract/api/receipt.ts';
import { parseRubString } from '@pay/shared/money/money.ts';
import type { Fields } from './terminal.ts';

/** Tag 2108 as the bank spells it; the second is a Latin letter. */
const UNITS = {
  PIECE: 'шт',
  GRAM: 'г',
  KILOGRAM: 'кг',
  TON: 'т',
  CENTIMETER: 'см',
  DECIMETER: 'дм',
  METER: 'м',
  SQUARE_CENTIMETER: 'см2',
  SQUARE_DECIMETER: 'дм2',
  SQUARE_METER: 'м2',
  MILLILITER: 'мл',
  LITER: 'л',
  CUBIC_METER: 'м3',
  KILOWATT_HOUR: 'кВт*ч',
  GIGACALORIE: 'Гкал',
  DAY: 'сут',
  HOUR: 'ч',
  MINUTE: 'мин',
  SECOND: 'c',
  KILOBYTE: 'Кбайт',
  MEGABYTE: 'Мбайт',
  GIGABYTE: 'Гбайт',
  TERABYTE: 'Тбайт',
  OTHER: '-',
} as const satisfies Record<(typeof MEASUREMENT_UNITS)[number], string>;

/**
 * `Receipt` of Init and Cancel, if any: kopecks as whole numbers, the quantity as a number with the digits as written, codes
 * in lower case. Charge has none of its own: its Init's counts. Source: `Receipt_FFD_105`, `Receipt_FFD_12` and
 * "Описание дополнительных объектов" of www.tbank.ru/kassa/dev/payments (OpenAPI copy of 2025-09 in
 * github.com/kravetsone/t-kassa-api). `vat22` and `vat122` are newer than that copy: clients that follow the bank have them.
 */
export function receiptFields(receipt: Receipt | null | undefined): Fields {
  if (receipt === undefined || receipt === null) return {};
  const { ffdVersion = '1.05', taxation, email, phone, items } = receipt;
  return {
    Receipt: {
      FfdVersion: ffdVersion,
      Taxation: taxation.toLowerCase(),
      ...(email === undefined ? {} : { Email: email }),
      ...(phone === undefined ? {} : { Phone: phone }),
      Items: items.map(itemOf),
    },
  };
}

function itemOf({ name, price, quantity, amount, vat, measurementUnit, ...codes }: Receipt['items'][number]): Fields {
  return {
    Name: name,
    Price: parseRubString(price),
    Quantity: JSON.rawJSON(quantity),
    Amount: parseRubString(amount),
    Tax: vat.toLowerCase(),
    PaymentMethod: codes.paymentMethod.toLowerCase(),
    PaymentObject: codes.paymentObject.toLowerCase(),
    ...(measurementUnit === undefined ? {} : { MeasurementUnit: UNITS[measurementUnit] }),
  };
}
