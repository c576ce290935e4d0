import { Failure } from '../../core/failure';
import { FileStore } from './file-store';
import { type ObjectStore } from './port';
import { openS3Store } from './s3-client';

/**
 * Opens the store that `description` names: `file:DIR` (a folder of this machine) or `s3://bucket/prefix`
 * (endpoint and keys from `env`, see `openS3Store`). Touches nothing yet; `verify()` does.
 * Throws `Failure('ConfigMissing')`.
 */
export async function openStore(
  description: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ObjectStore> {
  if (description.startsWith('s3://')) return openS3Store(description, env);
  if (description.startsWith('file:') && description.length > 'file:'.length)
    return new FileStore(description.slice('file:'.length).replace(/^\/\/(?=\/)/u, ''));
  throw new Failure(
    'ConfigMissing',
    `store ${JSON.stringify(description)}: write file:DIR or s3://bucket/prefix in STARTUPBENCH_STORE`,
  );
}
