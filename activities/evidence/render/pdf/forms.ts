import {
  PDFCheckBox,
  PDFDropdown,
  type PDFDocument,
  type PDFField,
  PDFOptionList,
  PDFRadioGroup,
  PDFSignature,
  PDFTextField,
} from 'pdf-lib';
import { messageOf } from '../package';
import { type Rendering } from '../rendering';
import { type Entries } from './entries';
import { boxOf } from './annotations';
import { type SeenWords } from './seen-words';
import { isHiddenAnnotation, lookupDict, name } from './structure';

/** Form fields with what they hold. Drops XFA data from the document as read. */
export function addForms(
  document: PDFDocument,
  seenWords: SeenWords | undefined,
  entries: Entries,
  rendering: Rendering,
): void {
  const form = lookupDict(document.catalog, 'AcroForm');
  if (!form) return;
  if (form.has(name('XFA'))) {
    rendering.facts['xfaForm'] = true;
    form.delete(name('XFA'));
  }
  for (const field of document.getForm().getFields()) {
    rendering.count('formFields');
    const widgets = field.acroField.getWidgets();
    const isHidden = widgets.length > 0 && widgets.every(({ dict }) => isHiddenAnnotation(dict));
    const state = `${field.getName()}: ${stateOf(field)}${field.isReadOnly() ? ', read only' : ''}`;
    entries.addLate('forms', () => {
      const shown = isHidden ? undefined : shownInstead(field, seenWords);
      const note = shown === undefined ? '' : `; the page shows ${shown}`;
      return [`${state}${note}`, isHidden || shown !== undefined ? { cause: 'markup' } : {}];
    });
  }
}

/**
 * What stands on the page where a text field has its place, where that is not its value: a viewer shows the look that
 * the file brings along, or stars for a password. `undefined` where the value is seen, or nothing can be told.
 */
function shownInstead(field: PDFField, seenWords: SeenWords | undefined): string | undefined {
  const value = field instanceof PDFTextField ? valueOf(field) : '';
  if (value.trim() === '') return undefined;
  const seen = field.acroField.getWidgets().flatMap(({ dict }) => {
    const page = seenWords?.pageOf(dict);
    const words = page === undefined ? undefined : seenWords?.wordsAt(page, boxOf(dict));
    return words ?? [];
  });
  if (seen.length === 0 || seen.some((words) => folded(words) === folded(value))) return undefined;
  const words = seen.find((each) => each !== '');
  return words === undefined ? 'nothing' : `"${words}"`;
}

const folded = (text: string): string => text.normalize('NFKC').replace(/\s+/gu, '');

function valueOf(field: PDFTextField): string {
  try {
    return field.getText() ?? '';
  } catch {
    return '';
  }
}

function stateOf(field: PDFField): string {
  try {
    if (field instanceof PDFTextField) return `text "${field.getText() ?? ''}"`;
    if (field instanceof PDFCheckBox)
      return `check box, ${field.isChecked() ? 'checked' : 'not checked'}`;
    if (field instanceof PDFRadioGroup)
      return `choice "${field.getSelected() ?? 'none'}" of ${field.getOptions().join(' / ')}`;
    if (field instanceof PDFDropdown || field instanceof PDFOptionList)
      return `choice "${field.getSelected().join(', ')}" of ${field.getOptions().join(' / ')}`;
    return field instanceof PDFSignature ? 'signature' : 'button';
  } catch (error) {
    return `cannot be read (${messageOf(error).slice(0, 100)})`;
  }
}
