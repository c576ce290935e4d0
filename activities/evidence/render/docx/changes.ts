import { type TrackedChange } from '../../../../core/evidence-view';
import { type XmlElement } from '../xml';

/** A tracked change whose words are still being read. */
export interface OpenChange {
  readonly kind: TrackedChange['kind'];
  text: string;
  readonly author?: string;
  readonly date?: string;
}

export function openChange({ attributes }: XmlElement, kind: TrackedChange['kind']): OpenChange {
  const author = attributes['author'];
  const date = attributes['date']?.slice(0, 10);
  return {
    kind,
    text: '',
    ...(author === undefined ? {} : { author }),
    ...(date === undefined ? {} : { date }),
  };
}
