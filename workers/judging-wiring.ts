import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client } from '@temporalio/client';
import { runCheck } from '../activities/checks/run-check';
import { createContainerRenderer } from '../activities/evidence/container-renderer';
import { openEvidenceByKey } from '../activities/evidence/evidence-reader';
import { createInProcessRenderer } from '../activities/evidence/in-process-renderer';
import { type Renderer } from '../activities/evidence/port';
import { createJudgeActivities } from '../activities/judge-activities';
import { createDockerInspector } from '../activities/judge/inspector/docker-inspector';
import { type Inspector } from '../activities/judge/port';
import { type Settings } from '../config/environment';
import { createRenderActivities } from '../activities/render-activities';
import { imageRecipe, imageTag } from '../activities/sandbox/image-recipe';
import { Semaphore } from '../activities/sandbox/semaphore';
import { type JudgeActivities, type RenderActivities } from '../core/activity-contract';
import { createLaneLink } from './lane-link';
import { type Services } from './services';

/**
 * Evidence in hardened containers, at most `atOnce` files at a time. Deliverables of our own simulated agent are plain
 * text that this process made: they are read here, so that a simulated sweep needs no container.
 */
export function renderActivities(services: Services, atOnce: number): RenderActivities {
  const { store, plans } = services;
  const scratchDir = scratchFolder(services.settings);
  const container = containerRenderer(services, atOnce);
  const inProcess = createInProcessRenderer();
  return createRenderActivities({
    store,
    plans,
    scratchDir,
    rendererFor: (lane) => (lane.harness.name === 'simulated' ? inProcess : container),
  });
}

export function judgeActivities(services: Services, client: Client): JudgeActivities {
  const { store, plans, models } = services;
  return createJudgeActivities({
    store,
    plans,
    models,
    runCheck,
    openEvidence: (viewKey) => openEvidenceByKey(store, viewKey),
    inspector: dockerInspector(services),
    lane: createLaneLink(client),
  });
}

/** Where renderers hand files over, under a path that the Docker daemon sees too. */
export function scratchFolder(settings: Pick<Settings, 'dataDir'>): string {
  const folder = join(settings.dataDir, 'scratch');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

export function containerRenderer(
  { docker, settings }: Pick<Services, 'docker' | 'settings'>,
  atOnce: number,
): Renderer {
  const container = createContainerRenderer({
    docker,
    imageTag: imageTag('renderer'),
    recipe: imageRecipe('renderer'),
    stack: settings.stackId,
  });
  return limited(container, atOnce);
}

export function dockerInspector({
  docker,
  settings,
}: Pick<Services, 'docker' | 'settings'>): Inspector {
  return createDockerInspector({
    docker,
    image: imageTag('inspector'),
    recipe: imageRecipe('inspector'),
    labels: { 'startupbench.stack': settings.stackId, 'startupbench.role': 'inspector' },
  });
}

/** LibreOffice takes a third of a GiB for each file: the queue may be shared with judges, the memory is not. */
function limited(renderer: Renderer, atOnce: number): Renderer {
  const places = new Semaphore(atOnce);
  return { recipe: renderer.recipe, render: (job) => places.run(() => renderer.render(job)) };
}
