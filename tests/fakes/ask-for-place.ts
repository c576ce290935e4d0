import { PlacesClient } from '../../activities/gateway/places-client';
import { OwnPlaces } from '../../activities/models/places';

/** A process that has nothing to do but to wait for a place: `ask-for-place.ts SOCKET`. */
async function main(): Promise<void> {
  const [, , socketPath = ''] = process.argv;
  const client = new PlacesClient({ socketPath, own: new OwnPlaces() });
  await client.acquire({
    ...{ account: 'lab', maxConcurrency: 3, lane: 'a command', party: 'one', again: false },
  });
  process.stdout.write('granted');
  await client.close();
}

void main();
