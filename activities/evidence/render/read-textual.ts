import { type ArtifactFormat } from '../../../core/evidence-view';
import { readEmail } from './email/read-email';
import { readHtml } from './html/read-html';
import { readMarkdown } from './markdown/read-markdown';
import { readNotebook } from './notebook/read-notebook';
import { type RenderContext } from './render-context';
import { readCsv, readText } from './render-text';
import { noteJson, noteXml, noteYaml } from './validity';
import { decodeInto } from './decode-into';

/** A file of text, read as its name says where its content does not object. Throws `Unreadable`. */
export async function readTextual(
  bytes: Uint8Array,
  format: ArtifactFormat,
  context: RenderContext,
): Promise<void> {
  const rendering = context.started(format);
  const text = decodeInto(bytes, rendering);
  switch (format) {
    case 'csv':
      readCsv(text, rendering);
      return undefined;
    case 'html':
      return readHtml(text, rendering, context);
    case 'email':
      return readEmail(bytes, rendering);
    case 'notebook':
      return readNotebook(text, rendering);
    case 'markdown':
      readMarkdown(text, rendering);
      return undefined;
    default:
      readText(text, rendering);
  }
  if (format === 'json') noteJson(text, rendering);
  if (format === 'yaml') noteYaml(text, rendering);
  if (format === 'xml') noteXml(text, rendering);
  return undefined;
}
