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

/** What a field without a result shows all the same, since programs compute it for each page or when they open a file. */
const COMPUTED: Readonly<Record<string, string>> = {
  PAGE: '[page number]',
  NUMPAGES: '[number of pages]',
  SECTION: '[section number]',
  SECTIONPAGES: '[pages of the section]',
  DATE: '[date of opening]',
  TIME: '[time of opening]',
  STYLEREF: '[words of the page in a style]',
};
/** Fields that show their result and nothing else: without one, a reader sees a gap until somebody updates them. */
const SHOWN_BY_RESULT =
  /^(?:TOC|TOA|INDEX|SEQ|REF|PAGEREF|NOTEREF|BIBLIOGRAPHY|CITATION|DOCPROPERTY|TITLE|AUTHOR|FILENAME|QUOTE|IF|MERGEFIELD|=)/iu;

interface OpenField {
  instruction: string;
  inResult: boolean;
  hasResult: boolean;
  readonly form: string | undefined;
}

/** What a mark of a field tells: the field where it is known whole, and words for a result that is not there. */
export interface FieldMark {
  readonly field?: WordField;
  readonly emptyWords?: string;
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

  /** True within the words of a link. */
  get inLink(): boolean {
    return this.open.some(
      ({ inResult, instruction }) => inResult && /^\s*HYPERLINK\b/iu.test(instruction),
    );
  }

  /** Says that what is read now is the result of all fields that are open. */
  noteResult(): void {
    for (const field of this.open) if (field.inResult) field.hasResult = true;
  }

  addInstruction(text: string): void {
    const field = this.open.findLast(({ inResult }) => !inResult);
    if (field) field.instruction += text;
  }

  /** Handles `fldChar`; gives the field where it is known whole: at its separator, or at its end without one. */
  mark(element: XmlElement): FieldMark | undefined {
    switch (element.attributes['fldCharType']) {
      case 'begin':
        this.open.push({
          instruction: '',
          inResult: false,
          hasResult: false,
          form: formOf(child(element, 'ffData')),
        });
        return undefined;
      case 'separate': {
        const field = this.open.at(-1);
        if (!field || field.inResult) return undefined;
        field.inResult = true;
        return { field: describe(field.instruction, field.form) };
      }
      case 'end': {
        const field = this.open.pop();
        if (!field) return undefined;
        return {
          ...(field.inResult ? {} : { field: describe(field.instruction, field.form) }),
          ...this.emptyWords(field),
        };
      }
      default:
        return undefined;
    }
  }

  /** A field in one element; `visit` reads its result. */
  simple(element: XmlElement, visit: () => void): FieldMark {
    const instruction = element.attributes['instr'] ?? '';
    const field = { instruction, inResult: true, hasResult: false, form: undefined };
    this.open.push(field);
    visit();
    this.open.pop();
    return { field: describe(instruction, undefined), ...this.emptyWords(field) };
  }

  /** Words for a field without a result; none within another one's instruction. */
  private emptyWords({ instruction, hasResult }: OpenField): Pick<FieldMark, 'emptyWords'> {
    if (hasResult || this.inInstruction) return {};
    const [name = '', argument = ''] = instruction.trim().split(/\s+/u);
    const computed = COMPUTED[name.toUpperCase()];
    if (computed !== undefined) return { emptyWords: computed };
    if (!SHOWN_BY_RESULT.test(name)) return {};
    const what = /^SEQ$/iu.test(name) ? `${name} ${argument}` : name;
    return { emptyWords: `[no result yet: ${what.slice(0, 60)}]` };
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
