import { type ArtifactEntry, type HiddenCause } from '../../../core/evidence-view';
import { foldText } from '../../../core/fold-text';

/** Words of items that a line of the manifest can answer: that a file is there, of which kind, and of how many parts. */
const FILE_WORDS =
  /\b(?:files?|folders?|deliver\w*|exists?|submi\w+|provid\w+|produc\w+|creat\w+|sav(?:e|ed|es)|nam(?:e|ed|es)|format\w*|extensions?|exports?|opens?|opened|readable|corrupt\w*|pages?|slides?|sheets?|worksheets?|tables?|images?|pictures?|charts?|figures?|diagrams?|comments?|footnotes?|endnotes?|sections?|headings?|hyperlinks?|links?|bookmarks?|fonts?|fields?|attachments?|annotations?|macros?|cells?|formulas?|words?|lines?|rows?|columns?|length|count|number of|pdfs?|docx|xlsx|pptx|csvs?|markdown|workbooks?|spreadsheets?|documents?|reports?|memos?|presentations?|decks?|notebooks?|archives?|zips?|tracked|changes)\b|文件|交付|提交|保存|格式|页|幻灯片|工作表|表格|图|批注|脚注|章节|标题|链接|报告|文档|演示|附件/iu;

/**
 * Whether an item asks for what a file is rather than for what it says: only then does its line in the manifest
 * ground a verdict. A file that cannot be read has nothing else to be cited.
 */
export function asksAboutFile(itemText: string, entry: ArtifactEntry): boolean {
  const { status } = entry.rendered;
  if (status !== 'rendered' && status !== 'truncated') return true;
  const text = foldText(itemText).toLowerCase();
  const base = foldText(entry.artifact.slice(entry.artifact.lastIndexOf('/') + 1)).toLowerCase();
  return FILE_WORDS.test(text) || text.includes(base);
}

const CJK_PAIR = /(?=([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}))/gu;
/** Letters of a word that must be shared: endings differ (`estimate`, `estimated`). */
const STEM_LETTERS = 4;

/**
 * Whether a query has anything to do with what is asked: a word of it, up to its ending, or a pair of ideographs
 * stands in one of the texts. A search for letters at random finds nothing anywhere, and shows nothing.
 */
export function isRelated(query: string, texts: readonly string[]): boolean {
  const wanted = foldText(query).toLowerCase();
  const given = foldText(texts.join('\n')).toLowerCase();
  if (wanted.length >= STEM_LETTERS && given.includes(wanted)) return true;
  const words = wanted.match(/[\p{L}\p{N}]+/gu) ?? [];
  const stands = words.some((word) => {
    if (/\p{Script=Han}/u.test(word)) return false;
    if (word.length < STEM_LETTERS) return hasWord(given, word, true);
    return hasWord(given, word.slice(0, Math.max(STEM_LETTERS, word.length - 3)), false);
  });
  return stands || [...wanted.matchAll(CJK_PAIR)].some(([, pair]) => given.includes(pair ?? ' '));
}

function hasWord(text: string, start: string, isWhole: boolean): boolean {
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + start.length, at + start.length + 1);
    if (!/[\p{L}\p{N}]/u.test(before) && (!isWhole || !/[\p{L}\p{N}]/u.test(after))) return true;
  }
  return false;
}

/** Words of items that ask for just that content which no reader of the finished file sees. */
const HIDDEN_WORDS: Partial<Record<HiddenCause, RegExp>> = {
  'alternative-text': /\balt(?:ernative)?[ -]?(?:texts?|descriptions?)\b|替代文(?:字|本)/iu,
  notes: /\b(?:speaker|presenter|slide)(?:'?s)? notes?\b|\bnotes (?:page|pane)\b|备注|讲稿/iu,
  metadata: /\b(?:metadata|document propert(?:y|ies)|file propert(?:y|ies))\b|元数据|文档属性/iu,
  'field-code':
    /\bfields?\b|\bautomatic\w*\b|\b(?:auto|self)-?updat\w+\b|域代码|自动(?:更新|生成)/iu,
  'hidden-sheet': /\bhid(?:den|es?|ing)\b|\bunhid\w+\b|隐藏/iu,
  'hidden-cells': /\bhid(?:den|es?|ing)\b|\bunhid\w+\b|隐藏/iu,
  'hidden-slide': /\bhid(?:den|es?|ing)\b|\bunhid\w+\b|隐藏/iu,
};

/** Whether an item asks for content of that kind, so that its text may ground a verdict although no reader sees it. */
export function asksForHidden(itemText: string, cause: HiddenCause | undefined): boolean {
  return cause !== undefined && HIDDEN_WORDS[cause]?.test(itemText) === true;
}
