import { z } from 'zod';

/** A short text that is shown in tables and pages: nothing in it breaks a line or hides. */
export const oneLineSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), {
    error: 'must be one line of plain text',
  });
