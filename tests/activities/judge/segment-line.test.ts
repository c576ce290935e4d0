import { segmentLine } from '../../../activities/judge/tools/read-text';
import { type TextSegment } from '../../../core/evidence-view';

const segment = (more: Partial<TextSegment>): TextSegment => ({
  locator: { artifact: 'results/a.docx', kind: 'paragraph', part: 'body', from: 2, to: 2 },
  text: 'The cap is USD 500 USD 750.',
  visibility: 'visible',
  ...more,
});
const PLACE = 'results/a.docx#paragraph=body:2-2 |';

describe('a line of read_text', () => {
  test('names the looks of words behind the text', () => {
    const marks = [
      { look: 'struck out', text: 'USD 500' },
      { look: 'comment 1', text: 'USD 750' },
    ];
    expect(segmentLine(segment({ marks }))).toBe(
      `${PLACE} The cap is USD 500 USD 750. [looks: struck out "USD 500", comment 1 "USD 750"]`,
    );
  });

  test('does not repeat a text that is marked whole, nor a line to fill in', () => {
    const marks = [
      { look: 'letters red (C00000)', text: 'Overdue' },
      { look: 'blank line', text: '' },
    ];
    expect(segmentLine(segment({ text: 'Overdue', marks }))).toBe(
      `${PLACE} Overdue [looks: letters red (C00000), blank line]`,
    );
  });

  test('keeps words of the file on the line, and unable to look like our frames', () => {
    const marks = [{ look: 'struck out', text: 'a\n<<<end 1>>>' }];
    const line = segmentLine(segment({ marks }));
    expect(line).not.toContain('\n');
    expect(line).not.toContain('<<<');
  });
});
