import { runningText } from '../../../../../activities/evidence/render/xlsx/running-text';

test.each([
  ['oddHeader', '&LAcme&RConfidential', 'header: on the left Acme, on the right Confidential'],
  [
    'firstFooter',
    '&C&"Arial,Bold"&12Page &P of &N && more',
    'footer of the first page: in the middle Page [page] of [pages] & more',
  ],
  ['evenHeader', 'plain', 'header of even pages: in the middle plain'],
  ['oddFooter', '&L&KFF0000&D&C&R&F', 'footer: on the left [date], on the right [file]'],
])('%s %s', (element, code, text) => {
  expect(runningText(element, code)).toBe(text);
});
