/** Channels closer to each other than this make a grey, which says little. */
const MIN_SPREAD = 40;

/** Where on the wheel of 360 degrees each colour ends. */
const HUES: readonly (readonly [number, string])[] = [
  [15, 'red'],
  [45, 'orange'],
  [70, 'yellow'],
  [165, 'green'],
  [200, 'turquoise'],
  [255, 'blue'],
  [290, 'purple'],
  [345, 'pink'],
  [360, 'red'],
];

/** A colour in words and digits, such as `red (C00000)`; `undefined` for white, black and greys. */
export function colourWords(rgb: string): string | undefined {
  if (!/^[0-9a-f]{6}$/iu.test(rgb)) return undefined;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) =>
    Number.parseInt(rgb.slice(at, at + 2), 16),
  );
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const spread = most - least;
  if (spread < MIN_SPREAD) return undefined;
  const hue = hueOf(red, green, blue, spread, most);
  const name = HUES.find(([end]) => hue <= end)?.[1] ?? 'red';
  return `${least > 150 ? 'light ' : ''}${name} (${rgb.toUpperCase()})`;
}

function hueOf(red: number, green: number, blue: number, spread: number, most: number): number {
  const sixth =
    most === red
      ? ((green - blue) / spread + 6) % 6
      : most === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4;
  return sixth * 60;
}
