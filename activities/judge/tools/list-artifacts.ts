import { z } from 'zod';
import { manifest } from '../prompt/manifest';
import { defineTool } from './tool';

export const listArtifacts = defineTool({
  name: 'list_artifacts',
  description:
    'All deliverables (results/...) and given files (inputs/...) with format, status and counts.',
  parameters: z.strictObject({}),
  handle: async (_input, { desk, framing }) => ({
    text: framing.frame('manifest', manifest(desk)),
  }),
});
