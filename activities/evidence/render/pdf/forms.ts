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
import { isHiddenAnnotation, lookupDict, name } from './structure';

/** Form fields with what they hold. Drops XFA data from the document as read. */
export function addForms(document: PDFDocument, entries: Entries, rendering: Rendering): void {
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
    entries.add(
      'forms',
      `${field.getName()}: ${stateOf(field)}${field.isReadOnly() ? ', read only' : ''}`,
      isHidden ? { cause: 'markup' } : {},
    );
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
