import { Failure } from '../../core/failure';
import { HARNESS_NAMES, type HarnessIdentity, type HarnessName } from '../../core/sweep';
import { CLAUDE_CODE_CONFIGURATION, claudeCodeHarness } from './claude-code';
import { HERMES_CONFIGURATION, hermesHarness } from './hermes';
import { minimalHarness } from './minimal';
import { NANOBOT_CONFIGURATION, nanobotHarness } from './nanobot';
import { NANOBOT_PAPER_CONFIGURATION, nanobotPaperHarness } from './nanobot-paper';
import { type HarnessAdapter } from './port';
import { AGENT_PROMPT_DIGEST, NO_PROMPT_DIGEST } from './prompt';
import { simulatedHarness } from './simulated';
import { nopHarness, oracleHarness } from './without-sandbox';

/** A harness: what it is for run keys, and how it is driven. One entry here is all it takes to add one. */
interface HarnessEntry {
  readonly version: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly promptDigest: string;
  /** Name of its image; absent for harnesses without a container. */
  readonly image?: string;
  readonly create: (identity: HarnessIdentity) => HarnessAdapter;
}

const HARNESSES: Readonly<Record<HarnessName, HarnessEntry>> = {
  nanobot: {
    version: '0.3.5',
    configuration: NANOBOT_CONFIGURATION,
    promptDigest: AGENT_PROMPT_DIGEST,
    image: 'nanobot',
    create: nanobotHarness,
  },
  'nanobot-paper': {
    version: '0.1.5.post2',
    configuration: NANOBOT_PAPER_CONFIGURATION,
    promptDigest: AGENT_PROMPT_DIGEST,
    image: 'nanobot-paper',
    create: nanobotPaperHarness,
  },
  hermes: {
    version: '0.19.0',
    configuration: HERMES_CONFIGURATION,
    promptDigest: AGENT_PROMPT_DIGEST,
    image: 'hermes',
    create: hermesHarness,
  },
  'claude-code': {
    version: '2.1.332',
    configuration: CLAUDE_CODE_CONFIGURATION,
    promptDigest: AGENT_PROMPT_DIGEST,
    image: 'claude-code',
    create: claudeCodeHarness,
  },
  minimal: {
    version: '1',
    configuration: {},
    promptDigest: AGENT_PROMPT_DIGEST,
    image: 'agent',
    create: minimalHarness,
  },
  simulated: {
    version: '1',
    configuration: {},
    promptDigest: AGENT_PROMPT_DIGEST,
    create: simulatedHarness,
  },
  oracle: {
    version: '1',
    configuration: {},
    promptDigest: NO_PROMPT_DIGEST,
    create: oracleHarness,
  },
  nop: { version: '1', configuration: {}, promptDigest: NO_PROMPT_DIGEST, create: nopHarness },
};

/**
 * What a harness is, for plans and run keys.
 *
 * @param recipeOf recipe of an image by its name (activities/sandbox/image-recipe)
 */
export function harnessIdentity(
  name: HarnessName,
  recipeOf: (image: string) => string,
): HarnessIdentity {
  const { version, configuration, promptDigest, image } = HARNESSES[name];
  return {
    id: name,
    name,
    version,
    configuration,
    promptDigest,
    ...(image !== undefined && { image: { name: image, recipe: recipeOf(image) } }),
  };
}

/** The adapter for a planned harness. Throws `Failure('ConfigMissing')` when this code is not the planned version. */
export function createHarness(identity: HarnessIdentity): HarnessAdapter {
  const name = HARNESS_NAMES.find((known) => known === identity.name);
  if (name === undefined)
    throw new Failure('ConfigMissing', `there is no harness ${identity.name}`);
  const entry = HARNESSES[name];
  const differs =
    entry.version !== identity.version
      ? `version ${entry.version}, the plan has ${identity.version}`
      : entry.promptDigest !== identity.promptDigest
        ? 'another prompt than the plan has'
        : undefined;
  if (differs !== undefined)
    throw new Failure(
      'ConfigMissing',
      `harness ${identity.name} of this worker has ${differs}; run the code that made the plan`,
    );
  return entry.create(identity);
}
