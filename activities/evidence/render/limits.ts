/** Bounds on what the renderer reads and writes. Beyond one of them an artifact is truncated or refused, never an error. */
export const RENDER_LIMITS = {
  fileBytes: 100 * 1024 * 1024,
  packageEntries: 2_000,
  entryInflatedBytes: 256 * 1024 * 1024,
  inflatedBytes: 512 * 1024 * 1024,
  /** Inflated over stored size of an entry that inflates to more than `ratioFreeBytes`. */
  inflationRatio: 200,
  ratioFreeBytes: 10 * 1024 * 1024,
  /** Largest part that is held as a tree. */
  treePartBytes: 48 * 1024 * 1024,
  xmlDepth: 256,
  textBytes: 2 * 1024 * 1024,
  /** Pieces of text; short ones cost more by their places than by their words. */
  segments: 250_000,
  cells: 200_000,
  sharedStringBytes: 64 * 1024 * 1024,
  pages: 60,
  /** Pages read by OCR, at about 20 s each. */
  ocrPages: 3,
  imagePixels: 50_000_000,
  /** Long edge of a page image. */
  imageEdgePixels: 2_000,
  pageResolutionDpi: 110,
  /** SIGKILL for each program the renderer starts. */
  programMs: 60_000,
} as const;

/** Date that calculation and date fields see, so that a file renders alike on every day. */
export const FROZEN_CLOCK = '2026-01-01 00:00:00';
