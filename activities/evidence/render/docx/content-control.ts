import { type XmlElement, child, elements } from '../xml';
import { isOn } from './styles';

const KINDS = [
  'checkbox',
  'dropDownList',
  'comboBox',
  'date',
  'picture',
  'repeatingSection',
  'richText',
  'text',
] as const;

/** A content control in words: name, tag, kind and state; `undefined` where the file says nothing of it. */
export function describeControl(properties: XmlElement | undefined): string | undefined {
  if (!properties) return undefined;
  const name = child(properties, 'alias')?.attributes['val'];
  const tag = child(properties, 'tag')?.attributes['val'];
  const kind = KINDS.find((each) => child(properties, each) !== undefined);
  const gallery = child(properties, 'docPartObj', 'docPartGallery')?.attributes['val'];
  const placeholder = child(properties, 'showingPlcHdr');
  const words = [
    ...(name === undefined ? [] : [name]),
    ...(tag === undefined || tag === name ? [] : [`tag ${tag}`]),
    ...(gallery === undefined ? [] : [`gallery ${gallery}`]),
    ...stateOf(properties, kind),
    ...(placeholder && isOn(placeholder) ? ['showing its placeholder'] : []),
    ...(child(properties, 'lock')
      ? [`lock ${child(properties, 'lock')?.attributes['val'] ?? ''}`]
      : []),
  ];
  return words.length === 0 ? undefined : words.join(', ');
}

function stateOf(properties: XmlElement, kind: (typeof KINDS)[number] | undefined): string[] {
  switch (kind) {
    case undefined:
    case 'richText':
      return [];
    case 'checkbox': {
      const checked = child(properties, 'checkbox', 'checked');
      return [`check box ${checked && isOn(checked) ? 'checked' : 'not checked'}`];
    }
    case 'dropDownList':
    case 'comboBox': {
      const list = child(properties, kind);
      const choices = (list ? elements(list, 'listItem') : []).map(
        ({ attributes }) => attributes['displayText'] ?? attributes['value'] ?? '',
      );
      return [`choice of ${choices.join(' / ')}`];
    }
    case 'date': {
      const date = child(properties, 'date')?.attributes['fullDate'];
      return [date === undefined ? 'date' : `date ${date.slice(0, 10)}`];
    }
    default:
      return [kind];
  }
}
