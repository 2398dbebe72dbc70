/** The contrast that text needs with its background, after WCAG 2.2. */
export const READABLE = 4.5;

const linear = (channel: number): number => {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

/** The contrast of a color, as #rrggbb, with white: from 1 to 21. */
export function contrastWithWhite(color: string): number {
  const channel = (at: number) => linear(Number.parseInt(color.slice(at, at + 2), 16));
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return 1.05 / (luminance + 0.05);
}
