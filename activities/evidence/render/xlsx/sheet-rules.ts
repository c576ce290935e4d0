import { BoundedList, MAX_LISTED, cutText } from './bounded-list';

export interface SheetRule {
  readonly range: string;
  readonly rule: string;
}

const MAX_RULE = 1_000;
const MAX_RANGES = 500;

/** An open data validation or conditional format: its range may come as an attribute or as a child. */
interface OpenRules {
  readonly list: BoundedList<SheetRule>;
  ranges: string;
  /** Words of each rule of the group. */
  readonly rules: string[][];
}

/**
 * Collects data validations and conditional formats of a sheet as words: type, operator, formulas, colours, each
 * rule by itself. Extended ones (`x14`), whose range and formulas are child elements, are read alike.
 */
export class RuleReader {
  readonly validations = new BoundedList<SheetRule>(MAX_LISTED);
  readonly conditionalFormats = new BoundedList<SheetRule>(MAX_LISTED);
  private group: OpenRules | undefined;
  private hasSecond = true;
  /** Rules that the file describes once more in its extensions, by their common id. */
  private readonly twins = new Set<string>();
  private isTwin = false;

  constructor(
    private readonly look: {
      /** Words for a differential style. */
      readonly differential: (index: number) => string;
      readonly color: (attributes: Record<string, string>) => string | undefined;
    },
  ) {}

  /** True between the tags of a rule: a `f` there is the rule's and no cell's. */
  get isOpen(): boolean {
    return this.group !== undefined;
  }

  /** Where the text of the element goes; `undefined` when it is of no interest. */
  open(name: string, attributes: Record<string, string>): ((text: string) => void) | undefined {
    if (name === 'dataValidation') {
      const { type = 'any', sqref = '' } = attributes;
      const isCompared = /^(?:whole|decimal|date|time|textLength)$/u.test(type);
      const operator = isCompared ? (attributes['operator'] ?? 'between') : '';
      this.group = { list: this.validations, ranges: sqref, rules: [[type, operator]] };
      // Some programs write a second value for rules that have one.
      this.hasSecond = /between/iu.test(operator);
      this.group.rules[0]?.push(...messagesOf(attributes));
      return undefined;
    }
    if (name === 'conditionalFormatting') {
      const ranges = attributes['sqref'] ?? '';
      this.group = { list: this.conditionalFormats, ranges, rules: [] };
      return undefined;
    }
    return this.group && this.openPart(this.group, name, attributes);
  }

  close(name: string): void {
    if (!this.group || (name !== 'dataValidation' && name !== 'conditionalFormatting')) return;
    const { list, ranges, rules } = this.group;
    this.group = undefined;
    this.isTwin = false;
    const range = boundedRanges(ranges);
    for (const words of rules) {
      const rule = inReadingOrder(words).filter(Boolean).join(' ');
      list.push({ range, rule: cutText(rule, MAX_RULE) });
    }
  }

  private openPart(
    group: OpenRules,
    name: string,
    attributes: Record<string, string>,
  ): ((text: string) => void) | undefined {
    const words = group.rules.at(-1);
    if (this.isTwin && name !== 'cfRule' && name !== 'sqref') return undefined;
    switch (name) {
      case 'cfRule':
        this.isTwin = this.twins.has(attributes['id'] ?? '');
        if (!this.isTwin) this.openRule(group, attributes);
        return undefined;
      case 'f':
      case 'formula':
      case 'formula1':
      case 'formula2':
        return words && this.openFormula(words, name);
      case 'sqref':
        return (text) => {
          if (group.ranges.length < 100_000) group.ranges += text;
        };
      case 'id':
        return (text) => {
          if (this.twins.size < MAX_LISTED) this.twins.add(text.trim());
        };
      default:
        words?.push(this.scaleWord(name, attributes));
        return undefined;
    }
  }

  private openFormula(words: string[], name: string): ((text: string) => void) | undefined {
    if (name === 'formula2' && !this.hasSecond) return undefined;
    const index = words.push('') - 1;
    return (text) => {
      const known = words[index] ?? '';
      if (known.length < MAX_RULE) words[index] = known + text;
    };
  }

  private openRule(group: OpenRules, attributes: Record<string, string>): void {
    if (group.list.entries.length + group.rules.length <= MAX_LISTED)
      group.rules.push(this.ruleWords(attributes));
    else group.list.beyond++;
  }

  private scaleWord(name: string, attributes: Record<string, string>): string {
    if (name === 'cfvo') return scalePoint(attributes);
    if (name === 'iconSet') return `icons ${attributes['iconSet'] ?? '3TrafficLights1'}`;
    const isColor = name === 'color' || name === 'fillColor';
    return (isColor ? this.look.color(attributes) : undefined) ?? '';
  }

  private ruleWords(attributes: Record<string, string>): string[] {
    const { type = 'rule', operator = '', text = '', rank, dxfId, timePeriod = '' } = attributes;
    const look = dxfId === undefined ? '' : this.look.differential(Number(dxfId));
    return [
      type,
      operator,
      text === '' ? '' : JSON.stringify(text),
      timePeriod,
      // Some programs write these for rules of any type.
      type === 'top10' ? rankWords(rank, attributes) : '',
      type === 'aboveAverage' && attributes['aboveAverage'] === '0' ? 'below average' : '',
      look === '' ? '' : `${LAST}[${look}]`,
      attributes['stopIfTrue'] === '1' ? `${LAST}(stops)` : '',
    ];
  }
}

function rankWords(rank = '10', { bottom, percent }: Record<string, string>): string {
  return `${bottom === '1' ? 'bottom' : 'top'} ${rank}${percent === '1' ? ' percent' : ''}`;
}

function scalePoint({ type = '', val = '' }: Record<string, string>): string {
  return val === '' || /^(?:auto)?(?:min|max)$/iu.test(type) ? type : `${type} ${val}`;
}

/** Marks words that stand behind the formulas, which come as children: looks and messages. */
const LAST = '\u0000';

function messagesOf(attributes: Record<string, string>): string[] {
  const message = (name: string, title = '', text = ''): string[] => {
    const words = [title, text].filter(Boolean).join(': ');
    return words === '' ? [] : [`${LAST}${name} ${JSON.stringify(words)}`];
  };
  return [
    ...message('prompt', attributes['promptTitle'], attributes['prompt']),
    ...message('error', attributes['errorTitle'], attributes['error']),
    ...(attributes['showDropDown'] === '1' ? [`${LAST}without a drop-down`] : []),
  ];
}

function inReadingOrder(words: readonly string[]): string[] {
  const isLast = (word: string): boolean => word.startsWith(LAST);
  return [
    ...words.filter((word) => !isLast(word)),
    ...words.filter(isLast).map((word) => word.slice(1)),
  ];
}

function boundedRanges(ranges: string): string {
  const list = ranges.trim().split(/\s+/u);
  return list.length <= MAX_RANGES
    ? list.join(' ')
    : `${list.slice(0, MAX_RANGES).join(' ')} and ${list.length - MAX_RANGES} more ranges`;
}
