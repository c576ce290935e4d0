import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A small project with every file that recipes look at. */
export function writeImageProject(root: string): void {
  const files: Record<string, string> = {
    'docker/base/Dockerfile': 'FROM debian',
    'docker/base/fonts.conf': '<fontconfig/>',
    'docker/python/Dockerfile': 'ARG PARENT',
    'docker/python/requirements.txt': 'openpyxl==3.1.5',
    'docker/agent/Dockerfile': 'COPY agent/ /opt/startupbench/',
    'docker/agent/supervisor.py': 'print()',
    'docker/inspector/Dockerfile': 'COPY inspector/ /opt/startupbench/',
    'docker/nanobot/Dockerfile': 'COPY nanobot/*.py /opt/startupbench/',
    'docker/nanobot/runner.py': 'print()',
    'docker/nanobot-paper/Dockerfile': 'COPY nanobot-paper/*.py /opt/startupbench/',
    'docker/nanobot-paper/requirements.txt': 'nanobot-ai==0.1.5.post2',
    'docker/hermes/Dockerfile': 'COPY hermes/*.py /opt/startupbench/',
    'docker/claude-code/Dockerfile': 'COPY claude-code-build/claude /opt/harness/bin/claude',
    'docker/claude-code/program.json': '{"version": "1.0.0"}',
    'docker/renderer/Dockerfile': 'COPY renderer-build/renderer.js /opt/startupbench/',
    'activities/evidence/renderer-main.ts': "import { read } from './read';\nread();\n",
    'activities/evidence/read.ts':
      "import sharp from 'sharp';\nexport const read = () => sharp();\n",
    'activities/evidence/unrelated.ts': 'export const unrelated = 1;\n',
    'package-lock.json': JSON.stringify({
      packages: {
        '': {},
        'node_modules/sharp': { version: '1.0.0', integrity: 'a', dependencies: { colour: '1' } },
        'node_modules/colour': { version: '1.0.0', integrity: 'b' },
        'node_modules/pino': { version: '1.0.0', integrity: 'c' },
      },
    }),
  };
  for (const [path, content] of Object.entries(files)) writeProjectFile(root, path, content);
}

export function writeProjectFile(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
