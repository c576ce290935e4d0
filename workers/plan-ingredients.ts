import { type Settings } from '../config/environment';
import { type HarnessIdentity, type HarnessName, type JudgeLimits } from '../core/sweep';
import { gatewayProtocolDigest } from '../activities/gateway/protocol-digest';
import { harnessIdentity } from '../activities/harness/registry';
import { judgeProtocolDigest } from '../activities/judge/protocol';
import { missingRecording, recordingsDigest } from '../activities/models/recordings';
import { type ImageName, imageRecipe, IMAGE_NAMES } from '../activities/sandbox/image-recipe';

/** What picks a recording. */
export interface RecordingRequest {
  readonly recordings: string;
  readonly taskId: string;
  readonly repetition: number;
  /** For judges: the item, and whose deliverables they look at. */
  readonly itemId: string | undefined;
  readonly subject: string | undefined;
}

/** What a plan takes from this code: everything that decides what an agent and a judge get. */
export interface PlanIngredients {
  harness(name: HarnessName): HarnessIdentity;
  readonly gatewayProtocolDigest: string;
  readonly rendererRecipe: string;
  readonly inspectorRecipe: string;
  judgeProtocolDigest(limits: JudgeLimits): string;
  /** Throws `Failure('InvalidInput')` when there is no such set. */
  recordingsDigest(name: string): Promise<string>;
  /** Places looked at for a recording that is not there; empty when it is. */
  missingRecording(request: RecordingRequest): Promise<readonly string[]>;
}

/** The ingredients of this checkout. */
export function planIngredients(settings: Pick<Settings, 'recordingsDir'>): PlanIngredients {
  const recipes = new Map<string, string>();
  const recipeOf = (image: string): string => {
    const known = recipes.get(image);
    if (known !== undefined) return known;
    if (!(IMAGE_NAMES as readonly string[]).includes(image))
      throw new RangeError(`there is no image ${image}`);
    const recipe = imageRecipe(image as ImageName);
    recipes.set(image, recipe);
    return recipe;
  };
  const rendererRecipe = recipeOf('renderer');
  const inspectorRecipe = recipeOf('inspector');
  return {
    harness: (name) => harnessIdentity(name, recipeOf),
    gatewayProtocolDigest: gatewayProtocolDigest(),
    rendererRecipe,
    inspectorRecipe,
    judgeProtocolDigest: (limits) =>
      judgeProtocolDigest({ rendererRecipe, inspectorRecipe, limits }),
    recordingsDigest: (name) => recordingsDigest(settings.recordingsDir, name),
    missingRecording: (request) => missingRecording(settings.recordingsDir, request),
  };
}
