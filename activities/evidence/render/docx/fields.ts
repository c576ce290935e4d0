import { type XmlElement, child, elements } from '../xml';
import { isOn } from './styles';

/** A field: what a program computes it from, as the file has it. Its result is part of the text. */
export interface WordField {
  /** `DATE \@ "yyyy-MM-dd"` */
  readonly instruction: string;
  readonly isVolatile: boolean;
  /** A form field's name and state, where it is one. */
  readonly form?: string;
}

/** Fields whose result may change when the file is opened, printed or updated, whatever its content. */
const VOLATILE =
  /^(?:DATE|TIME|PAGE|NUMPAGES|SECTION|SECTIONPAGES|PAGEREF|TOC|TOA|INDEX|FILENAME|FILESIZE|EDITTIME|USERNAME|USERADDRESS|USERINITIALS|LASTSAVEDBY|SAVEDATE|PRINTDATE|REVNUM|NUMWORDS|NUMCHARS)\b/iu;

interface OpenField {
  instruction: string;
  inResult: boolean;
  readonly form: string | undefined;
}

/**
 * Follows fields through a part: one may begin in a paragraph and end in another, and hold others. Words between
 * its beginning and its separator are the instruction, not text.
 */
export class FieldStack {
  private readonly open: OpenField[] = [];

  /** True where words belong to an instruction. */
  get inInstruction(): boolean {
    return this.open.some(({ inResult }) => !inResult);
  }

  /** True where words are the result of a field that changes by itself. */
  get inVolatileResult(): boolean {
    return this.open.some(({ inResult, instruction }) => inResult && isVolatileField(instruction));
  }

  addInstruction(text: string): void {
    const field = this.open.findLast(({ inResult }) => !inResult);
    if (field) field.instruction += text;
  }

  /** Handles `fldChar`; gives the field where it is known whole: at its separator, or at its end without one. */
  mark(element: XmlElement): WordField | undefined {
    switch (element.attributes['fldCharType']) {
      case 'begin':
        this.open.push({
          instruction: '',
          inResult: false,
          form: formOf(child(element, 'ffData')),
        });
        return undefined;
      case 'separate': {
        const field = this.open.at(-1);
        if (!field || field.inResult) return undefined;
        field.inResult = true;
        return describe(field.instruction, field.form);
      }
      case 'end': {
        const field = this.open.pop();
        return field && !field.inResult ? describe(field.instruction, field.form) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** A field in one element; `visit` reads its result. */
  simple(element: XmlElement, visit: () => void): WordField {
    const instruction = element.attributes['instr'] ?? '';
    this.open.push({ instruction, inResult: true, form: undefined });
    visit();
    this.open.pop();
    return describe(instruction, undefined);
  }
}

function isVolatileField(instruction: string): boolean {
  return VOLATILE.test(instruction.trim());
}

function describe(instruction: string, form: string | undefined): WordField {
  return {
    instruction: instruction.trim().replace(/\s+/gu, ' '),
    isVolatile: isVolatileField(instruction),
    ...(form === undefined ? {} : { form }),
  };
}

/** A legacy form field: its name and what it holds. */
function formOf(data: XmlElement | undefined): string | undefined {
  if (!data) return undefined;
  const name = child(data, 'name')?.attributes['val'] ?? '';
  const box = child(data, 'checkBox');
  const list = child(data, 'ddList');
  if (box) {
    const state = child(box, 'checked') ?? child(box, 'default');
    return `${name}: check box, ${state && isOn(state) ? 'checked' : 'not checked'}`;
  }
  if (list) {
    const entries = elements(list, 'listEntry').map(({ attributes }) => attributes['val'] ?? '');
    const chosen = Number(child(list, 'result')?.attributes['val'] ?? 0);
    return `${name}: list, ${entries[chosen] ?? 'nothing'} of ${entries.join(' / ')}`;
  }
  return `${name}: text`;
}
