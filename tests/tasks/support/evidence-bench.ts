import Docker from 'dockerode';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContainerRenderer } from '../../../activities/evidence/container-renderer';
import { openEvidence } from '../../../activities/evidence/evidence-reader';
import { buildView } from '../../../activities/evidence/evidence-service';
import { type EvidenceReader, type Renderer } from '../../../activities/evidence/port';
import { createDockerInspector } from '../../../activities/judge/inspector/docker-inspector';
import { type Inspector } from '../../../activities/judge/port';
import { imageRecipe, imageTag, projectRoot } from '../../../activities/sandbox/image-recipe';
import { sha256Hex } from '../../../activities/store/digest';
import { FileStore } from '../../../activities/store/file-store';
import { listFolder, type FolderFile } from '../../../config/folder-files';
import { readTaskFolder, type TaskFolder } from '../../../config/task-folder';
import { canonicalJson } from '../../../core/ids';
import { type FileReference } from '../../../core/task';

/** Real evidence views of deliverables that lie in a folder, with a store of its own in a temporary folder. */
export class EvidenceBench {
  private constructor(
    readonly folder: string,
    private readonly store: FileStore,
    private readonly docker: Docker,
    private readonly stack: string,
    private readonly renderer: Renderer,
  ) {}

  static async open(): Promise<EvidenceBench> {
    const folder = await mkdtemp(join(tmpdir(), 'tasks-test-'));
    const stack = `tasks-test-${randomUUID().slice(0, 8)}`;
    const docker = new Docker();
    const renderer = createContainerRenderer({
      docker,
      imageTag: imageTag('renderer'),
      recipe: imageRecipe('renderer'),
      stack,
    });
    return new EvidenceBench(folder, new FileStore(join(folder, 'store')), docker, stack, renderer);
  }

  get inspector(): Inspector {
    return createDockerInspector({
      recipe: imageRecipe('inspector'),
      docker: this.docker,
      image: imageTag('inspector'),
      labels: { 'startupbench.stack': this.stack },
    });
  }

  /** The view of `results` as deliverables of the task. */
  async evidence(task: TaskFolder, results: string): Promise<EvidenceReader> {
    const files = await this.put(task.files);
    const deliverables = await this.put(listFolder(results, { required: true }).files);
    const digestOf = (references: readonly FileReference[]) => sha256Hex(canonicalJson(references));
    const { view } = await buildView(
      { store: this.store, renderer: this.renderer, scratchDir: join(this.folder, 'scratch') },
      {
        task: { digest: digestOf(files), files },
        deliverables: {
          v: 1,
          files: deliverables,
          refused: [],
          truncated: false,
          digest: digestOf(deliverables),
        },
      },
    );
    return openEvidence(this.store, view);
  }

  async close(): Promise<void> {
    const filters = { label: [`startupbench.stack=${this.stack}`] };
    for (const { Id } of await this.docker.listContainers({ all: true, filters }))
      await this.docker.getContainer(Id).remove({ force: true });
    await rm(this.folder, { recursive: true, force: true });
  }

  private async put(files: readonly FolderFile[]): Promise<FileReference[]> {
    const put = files.map(async ({ path, source }) => ({
      path,
      ...(await this.store.putBlob('open', await readFile(source))),
    }));
    return Promise.all(put);
  }
}

export function readTask(id: string): TaskFolder {
  const { task, faults } = readTaskFolder(join(projectRoot(), 'tasks', id));
  if (task === undefined) throw new Error(JSON.stringify(faults));
  return task;
}

export function requestOf(id: string): string {
  return readFileSync(join(projectRoot(), 'tasks', id, 'workspace', 'query', 'task.md'), 'utf8');
}
