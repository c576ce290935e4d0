import { z } from 'zod';
import { type EvidenceDesk } from '../evidence-desk';
import { type LoggedSearch, type OpenedPage } from '../grounding/session-log';
import { type InspectorSession } from '../port';
import { type Framing } from '../prompt/framing';

/** What a tool may use. Tools only read. */
export interface ToolContext {
  readonly desk: EvidenceDesk;
  readonly framing: Framing;
  /** The session's Python, started at the first call. */
  inspector(): Promise<InspectorSession>;
  /** Page images this session may still open. */
  readonly imagesLeft: number;
}

/** A tool's answer. `text` goes to the judge as it is: what comes from files must be framed. */
export interface ToolOutput {
  readonly text: string;
  readonly search?: LoggedSearch;
  readonly page?: OpenedPage;
  /** The tool's own time in milliseconds; default: as long as the call took. */
  readonly durationMs?: number;
}

/** A tool of the judge: a strict schema and a handler. Unusable arguments are told to the judge, never thrown. */
export interface JudgeTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodObject;
  run(argumentsText: string, context: ToolContext): Promise<ToolOutput>;
}

/** Thrown by handlers for what the judge can put right, e.g. an unknown artifact. */
export class ToolProblem extends Error {}

export function defineTool<Shape extends z.ZodRawShape>(definition: {
  readonly name: string;
  readonly description: string;
  /** Every member is required by the schema; optional ones are nullable and may be left out. */
  readonly parameters: z.ZodObject<Shape>;
  readonly handle: (
    input: z.output<z.ZodObject<Shape>>,
    context: ToolContext,
  ) => Promise<ToolOutput>;
}): JudgeTool {
  const { name, description, parameters, handle } = definition;
  return {
    name,
    description,
    parameters,
    run: async (argumentsText, context) => {
      const input = readArguments(parameters, argumentsText);
      if ('problem' in input) return { text: `error: ${input.problem}` };
      try {
        return await handle(input.value, context);
      } catch (error) {
        if (error instanceof ToolProblem) return { text: `error: ${error.message}` };
        throw error;
      }
    },
  };
}

function readArguments<Shape extends z.ZodRawShape>(
  parameters: z.ZodObject<Shape>,
  text: string,
): { readonly value: z.output<z.ZodObject<Shape>> } | { readonly problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    return { problem: 'the arguments are not valid JSON' };
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json))
    json = {
      ...Object.fromEntries(nullableNames(parameters).map((name) => [name, null])),
      ...json,
    };
  const parsed = parameters.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`,
  );
  return { problem: problems.join('; ') };
}

function nullableNames(parameters: z.ZodObject): string[] {
  return Object.entries(parameters.shape)
    .filter(([, schema]) => (schema as z.ZodType).safeParse(null).success)
    .map(([name]) => name);
}

/** The tool as Chat Completions takes it, strict: every member required, no others. */
export function toolDefinition(
  tool: Pick<JudgeTool, 'name' | 'description' | 'parameters'>,
): object {
  const schema = z.toJSONSchema(tool.parameters, {
    override: ({ jsonSchema }) => {
      // Bounds of safe integers say nothing, and some providers refuse them in strict schemas.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  delete schema.$schema;
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      strict: true,
      parameters: schema,
    },
  };
}
