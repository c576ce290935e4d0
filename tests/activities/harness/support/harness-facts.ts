/** Harnesses that run in a sandbox. */
export type Harness = 'nanobot' | 'nanobot-paper' | 'hermes' | 'claude-code' | 'minimal';

/** What distinguishes the harnesses, apart from how they end. */
export const HARNESSES: Readonly<
  Record<
    Harness,
    {
      readonly shell: string;
      readonly tools: readonly string[];
      /** How a model looks at an image file. */
      readonly look: (path: string) => { readonly name: string; readonly arguments: unknown };
      /** What it may leave in the workspace. */
      readonly litter: RegExp;
      /** Whether it keeps a log of its own, and writes it only at its end or as it goes. */
      readonly ownLog: 'none' | 'at the end' | 'as it goes';
    }
  >
> = {
  nanobot: {
    shell: 'exec',
    tools: [
      ...['apply_patch', 'edit_file', 'exec', 'exec_session', 'find_files', 'grep', 'list_dir'],
      ...['list_exec_sessions', 'read_file', 'write_file'],
    ],
    look: (path) => ({ name: 'read_file', arguments: { path } }),
    litter: /^\.nanobot\//u,
    ownLog: 'at the end',
  },
  'nanobot-paper': {
    shell: 'exec',
    tools: [
      ...['edit_file', 'exec', 'glob', 'grep', 'list_dir', 'notebook_edit', 'read_file'],
      'write_file',
    ],
    look: (path) => ({ name: 'read_file', arguments: { path } }),
    litter: /^(?:(?:AGENTS|HEARTBEAT|SOUL|TOOLS|USER)\.md|\.gitignore|\.git\/.*|memory\/.*)$/u,
    ownLog: 'at the end',
  },
  hermes: {
    shell: 'terminal',
    tools: [
      ...['patch', 'process', 'read_file', 'search_files', 'terminal', 'todo', 'vision_analyze'],
      'write_file',
    ],
    look: (path) => ({
      name: 'vision_analyze',
      arguments: { image_url: path, question: 'Is it red?' },
    }),
    litter: /^(?!)/u,
    ownLog: 'at the end',
  },
  'claude-code': {
    shell: 'Bash',
    tools: ['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write'],
    look: (path) => ({ name: 'Read', arguments: { file_path: path } }),
    litter: /^(?!)/u,
    ownLog: 'as it goes',
  },
  minimal: {
    shell: 'exec',
    tools: ['exec', 'read_file', 'write_file'],
    look: (path) => ({ name: 'read_file', arguments: { path } }),
    litter: /^(?!)/u,
    ownLog: 'none',
  },
};
export const NAMES = Object.keys(HARNESSES) as Harness[];

/** What starts a subagent in one of these programs; none is offered it. */
export const SUBAGENT_TOOLS = ['Agent', 'Task', 'delegate_task', 'spawn'];
