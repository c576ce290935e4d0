import { FileStore } from '../../../activities/store/file-store';

/** Writes records for ever and prints a line after each; its parent kills it. */
async function main(): Promise<void> {
  const [folder, name, length] = process.argv.slice(2);
  const store = new FileStore(folder!);
  for (let n = 0; ; n++) {
    await store.putRecord(`open/${name!}/${n}`, 'x'.repeat(Number(length)));
    process.stdout.write('.\n');
  }
}

void main();
