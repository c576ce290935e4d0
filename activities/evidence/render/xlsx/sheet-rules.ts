export interface SheetRule {
  readonly range: string;
  readonly rule: string;
}

/** An open data validation or conditional format: its range may come as an attribute or as a child. */
interface OpenRule {
  readonly list: SheetRule[];
  ranges: string;
  readonly words: string[];
}

/**
 * Collects data validations and conditional formats of a sheet as words: type, operator, formulas, colours.
 * Extended ones (`x14`), whose range and formulas are child elements, are read alike.
 */
export class RuleReader {
  readonly validations: SheetRule[] = [];
  readonly conditionalFormats: SheetRule[] = [];
  private rule: OpenRule | undefined;

  /** True between the tags of a rule: a `f` there is the rule's and no cell's. */
  get isOpen(): boolean {
    return this.rule !== undefined;
  }

  /** Where the text of the element goes; `undefined` when it is of no interest. */
  open(name: string, attributes: Record<string, string>): ((text: string) => void) | undefined {
    if (name === 'dataValidation' || name === 'conditionalFormatting') {
      const isValidation = name === 'dataValidation';
      this.rule = {
        list: isValidation ? this.validations : this.conditionalFormats,
        ranges: attributes['sqref'] ?? '',
        words: isValidation ? [attributes['type'] ?? 'any', attributes['operator'] ?? ''] : [],
      };
      return undefined;
    }
    return this.rule && openPart(this.rule, name, attributes);
  }

  close(name: string): void {
    if (!this.rule || (name !== 'dataValidation' && name !== 'conditionalFormatting')) return;
    const { list, ranges, words } = this.rule;
    list.push({ range: ranges.trim(), rule: words.filter(Boolean).join(' ') });
    this.rule = undefined;
  }
}

function openPart(
  rule: OpenRule,
  name: string,
  attributes: Record<string, string>,
): ((text: string) => void) | undefined {
  switch (name) {
    case 'cfRule':
      rule.words.push(
        attributes['type'] ?? 'rule',
        attributes['operator'] ?? '',
        attributes['text'] ?? '',
      );
      return undefined;
    case 'f':
    case 'formula':
    case 'formula1':
    case 'formula2': {
      const index = rule.words.push('') - 1;
      return (text) => (rule.words[index] = (rule.words[index] ?? '') + text);
    }
    case 'sqref':
      return (text) => (rule.ranges += text);
    case 'color':
      rule.words.push(attributes['rgb'] ?? '');
      return undefined;
    default:
      return undefined;
  }
}
