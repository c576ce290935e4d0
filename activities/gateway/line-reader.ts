import { type Socket } from 'node:net';

const LONGEST_LINE = 64 * 1024;

/** Calls `take` for each line that comes; a peer that sends one without end is cut off. */
export function lines(socket: Socket, take: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > LONGEST_LINE) socket.destroy();
    else for (const line of parts) take(line);
  });
}
