import { type XmlElement, elements } from '../xml';

/** Of the versions of one content for newer and older programs: the first that has content. */
export function firstReadable(alternatives: XmlElement): XmlElement {
  const options = elements(alternatives);
  return options.find((option) => elements(option).length > 0) ?? alternatives;
}

/** The element with one version of whatever there are several of within it. */
export function withoutAlternatives(element: XmlElement): XmlElement {
  const children = element.children.flatMap((each) => {
    if (typeof each === 'string') return [each];
    return each.name === 'AlternateContent'
      ? withoutAlternatives(firstReadable(each)).children
      : [withoutAlternatives(each)];
  });
  return { ...element, children };
}
