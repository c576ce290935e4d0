import { htmlText } from '../../../../../activities/evidence/render/html/html-text';

test.each([
  ['<p>Total: <b>5</b> units</p>', 'Total: 5 units'],
  ['loose <i>words</i> and <a href="x">links</a>', 'loose words and links'],
  ['<div>before<p>inner <em>x</em></p>after</div>', 'before\ninner x\nafter'],
  ['one<br>two', 'one\ntwo'],
  ['<table><tr><th>a<th>b</tr><tr><td>1<td><b>2</b> kg</tr></table>', 'a | b\n1 | 2 kg'],
  ['<p>seen</p><script>no</script><style>p{}</style>', 'seen'],
  ['<p>seen <span style="display:none">not</span></p>', 'seen'],
])('no word of %s is lost', (markup, text) => {
  expect(htmlText(markup)).toBe(text);
});
