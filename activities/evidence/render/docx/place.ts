import { printLocator } from '../../../../core/locator';

/** Where a piece of a document stands. */
export type Place =
  | {
      readonly kind: 'paragraph';
      readonly part: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly kind: 'table';
      readonly table: number;
      readonly row: number;
      readonly column: number;
    };

/** The n-th entry of one of the lists that follow the text: `comments`, `links`, `images`, ... */
export function entryPlace(part: string, number: number): Place {
  return { kind: 'paragraph', part, from: number, to: number };
}

/** A place as its locator prints it, without the file: `paragraph=body:4-4`. */
export function placeWords(place: Place): string {
  return printLocator({ ...place, artifact: '' }).slice(1);
}
