import {
  IMAGE_NAMES,
  type ImageName,
  imageTag,
  OPTIONAL_IMAGE_NAMES,
} from '../activities/sandbox/image-recipe';
import { type Settings } from '../config/environment';
import { plural } from '../core/plural';
import { type Finding } from './finding';
import { openDocker } from './services';

/** What every sweep of this stack would fail on; `undefined` where nothing is missing, or no daemon can be asked. */
export async function imagesMissedByAll(settings: Settings): Promise<string | undefined> {
  const docker = openDocker(settings);
  const answers = await docker.ping().then(
    () => true,
    () => false,
  );
  if (!answers) return undefined;
  const { state, detail } = imagesFinding(await missingImages(docker));
  return state === 'missing' ? detail : undefined;
}

/** Images that every stack needs must be there; those of single harnesses are only missed by their own runs. */
export function imagesFinding(missing: readonly ImageName[]): Finding {
  const what = 'images';
  const fix = `npx tsx scripts/images.ts ${missing.join(' ')}`;
  if (missing.some((name) => !OPTIONAL_IMAGE_NAMES.includes(name)))
    return { what, state: 'missing', detail: `${missing.join(', ')}: build them with ${fix}` };
  if (missing.length > 0)
    return {
      what,
      state: 'warning',
      detail: `${missing.join(', ')}: before a sweep with such a harness, build them with ${fix}`,
    };
  return { what, state: 'ok', detail: `${plural(IMAGE_NAMES.length, 'image')} of this code` };
}

/** Of this code's, those that the daemon does not have. */
export async function missingImages(docker: ReturnType<typeof openDocker>): Promise<ImageName[]> {
  const found = await Promise.all(
    IMAGE_NAMES.map((name) =>
      docker
        .getImage(imageTag(name))
        .inspect()
        .then(
          () => [],
          () => [name],
        ),
    ),
  );
  return found.flat();
}
