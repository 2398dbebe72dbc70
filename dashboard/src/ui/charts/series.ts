const SERIES = 4;

/** The color of a series that means nothing in particular, by its place. */
export const seriesColor = (place: number): string =>
  `var(--series-${String((place % SERIES) + 1)})`;
