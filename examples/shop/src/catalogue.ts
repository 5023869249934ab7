export type Product = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly kopecks: number;
  readonly picture: string;
};

export const PRODUCTS: readonly Product[] = [
  {
    id: 'ivan',
    title: 'Ivan tea, 100 g',
    text: 'Fermented willowherb from Vologda. Honey, hay, no caffeine.',
    kopecks: 49_000,
    picture: '/ivan.svg',
  },
  {
    id: 'black',
    title: 'Krasnodar black, 50 g',
    text: 'From the northernmost tea gardens. Malt and dried cherry.',
    kopecks: 36_050,
    picture: '/black.svg',
  },
  {
    id: 'cup',
    title: 'Glass and holder',
    text: 'Thin glass in a nickel holder, as on the night train.',
    kopecks: 129_900,
    picture: '/cup.svg',
  },
];

/** Sold to one buyer once: each month its price is charged to the saved card. */
export const MONTHLY: Product = {
  id: 'monthly',
  title: 'Tea of the month',
  text: 'A new tea every month. Pay once and let us save the card; stop whenever you like.',
  kopecks: 59_000,
  picture: '/monthly.svg',
};
