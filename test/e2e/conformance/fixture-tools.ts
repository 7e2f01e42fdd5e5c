import {
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';

/** The smallest PNG and WAV the scenarios are content with. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** Pause between the steps of a tool that reports while it runs, milliseconds. */
const STEP_MS = 50;

type Answer = CallToolResult | InputRequiredResult;
type Args = Record<string, unknown>;

/** One tool of the fixture. */
export interface FixtureTool {
  definition: Tool;
  answer(args: Args, ctx: ServerContext): Promise<Answer> | Answer;
}

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });
const wait = () => new Promise((resolve) => setTimeout(resolve, STEP_MS));

function tool(
  name: string,
  answer: FixtureTool['answer'],
  inputSchema: object = { type: 'object' },
): [string, FixtureTool] {
  return [
    name,
    { definition: { name, description: `Fixture ${name}`, inputSchema: inputSchema as Tool['inputSchema'] }, answer },
  ];
}

const one = (name: string, type = 'string') => ({ type: 'object', properties: { [name]: { type } }, required: [name] });

/** What a client can be asked, in the raw: the SDK's builders would tidy the schemas the scenarios look at. */
const ask = (method: string, params?: object) => ({ method, ...(params && { params }) }) as InputRequest;
const form = (message: string, properties: object, required: string[] = []) =>
  ask('elicitation/create', { message, requestedSchema: { type: 'object', properties, required } });
const asksName = (message: string) => form(message, { name: { type: 'string' } }, ['name']);
const sampling = (prompt: string, maxTokens: number) =>
  ask('sampling/createMessage', { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens });
const roots = () => ask('roots/list', {});

/** The client's answer under a key; undefined where there is none of the right shape. */
function answered(ctx: ServerContext, key: string): Args | undefined {
  const value = (ctx.mcpReq.inputResponses as Record<string, unknown> | undefined)?.[key];
  return typeof value === 'object' && value !== null ? (value as Args) : undefined;
}

const stateOf = (ctx: ServerContext): unknown => ctx.mcpReq.requestState();

/** Asks once, and answers by what came back. */
const asking =
  (key: string, request: () => InputRequest, done: (answer: Args) => string): FixtureTool['answer'] =>
  (_args, ctx) => {
    const answer = answered(ctx, key);
    return answer ? text(done(answer)) : inputRequired({ inputRequests: { [key]: request() } });
  };

const elicited = ({ action, content }: Args): string =>
  `action=${String(action)}, content=${JSON.stringify(content ?? {})}`;
const content = ({ content: given }: Args): Args => (given ?? {}) as Args;

const enums = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: {
    type: 'string',
    oneOf: [
      { const: 'value1', title: 'First Option' },
      { const: 'value2', title: 'Second Option' },
      { const: 'value3', title: 'Third Option' },
    ],
  },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: {
    type: 'array',
    items: {
      anyOf: [
        { const: 'value1', title: 'First Choice' },
        { const: 'value2', title: 'Second Choice' },
        { const: 'value3', title: 'Third Choice' },
      ],
    },
  },
};

const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const marked = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
  required: ['region'],
};

/** Changes what the fixture lists. */
export interface FixtureLists {
  changeTools(): void;
  changePrompts(): void;
}

/** What the fixture's lists do on demand; set by the server that holds them. */
export const lists: FixtureLists = { changeTools() {}, changePrompts() {} };

/** Every tool the official suite's scenarios call. */
export const fixtureTools = new Map<string, FixtureTool>([
  tool('test_simple_text', () => text('This is a simple text response for testing.')),
  tool('test_image_content', () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] })),
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] })),
  tool('test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  tool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  })),
  tool('test_tool_with_logging', async (_args, ctx) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', line);
      await wait();
    }
    return text('Tool with logging executed');
  }),
  tool('test_tool_with_progress', async (_args, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await wait();
    }
    return text('Tool with progress executed');
  }),
  tool('test_error_handling', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool(
    'test_sampling',
    (args, ctx) => {
      const answer = answered(ctx, 'sample');
      if (!answer) return inputRequired({ inputRequests: { sample: sampling(String(args.prompt), 100) } });
      return text(`LLM response: ${String(content(answer).text)}`);
    },
    one('prompt'),
  ),
  tool(
    'test_elicitation',
    (args, ctx) => {
      const answer = answered(ctx, 'form');
      const properties = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      if (!answer) {
        return inputRequired({
          inputRequests: { form: form(String(args.message), properties, ['username', 'email']) },
        });
      }
      return text(`User response: ${elicited(answer)}`);
    },
    one('message'),
  ),
  tool(
    'test_elicitation_sep1034_defaults',
    asking(
      'form',
      () => form('Please review the defaults', defaults),
      (answer) => `Elicitation completed: ${elicited(answer)}`,
    ),
  ),
  tool(
    'test_elicitation_sep1330_enums',
    asking(
      'form',
      () => form('Please choose', enums),
      (answer) => `Elicitation completed: ${elicited(answer)}`,
    ),
  ),
  tool('json_schema_2020_12_tool', (args) => text(JSON.stringify(args)), schema2020),
  tool('test_x_mcp_header', (args) => text(JSON.stringify(args)), marked),
  tool('test_input_required_result_elicitation', (_args, ctx) => {
    const { name } = content(answered(ctx, 'user_name') ?? {});
    if (typeof name === 'string') return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: asksName('What is your name?') } });
  }),
  tool(
    'test_input_required_result_sampling',
    asking(
      'capital_question',
      () => sampling('What is the capital of France?', 100),
      (answer) => `Sampled: ${String(content(answer).text)}`,
    ),
  ),
  tool(
    'test_input_required_result_list_roots',
    asking(
      'client_roots',
      () => roots(),
      (answer) => `Roots: ${JSON.stringify(answer.roots)}`,
    ),
  ),
  tool('test_input_required_result_request_state', (_args, ctx) => {
    if (stateOf(ctx) === 'state-1' && answered(ctx, 'confirm')) return text('state-ok');
    const confirm = form('Please confirm', { ok: { type: 'boolean' } }, ['ok']);
    return inputRequired({ inputRequests: { confirm }, requestState: 'state-1' });
  }),
  tool('test_input_required_result_tampered_state', (_args, ctx) => {
    if (answered(ctx, 'confirm')) return text('state-ok');
    const confirm = form('Please confirm', { ok: { type: 'boolean' } }, ['ok']);
    return inputRequired({ inputRequests: { confirm }, requestState: 'untouched' });
  }),
  tool('test_input_required_result_multiple_inputs', (_args, ctx) => {
    const keys = ['user_name', 'greeting', 'client_roots'];
    if (keys.every((key) => answered(ctx, key))) return text('All inputs received');
    return inputRequired({
      inputRequests: {
        user_name: asksName('What is your name?'),
        greeting: sampling('Generate a greeting', 50),
        client_roots: roots(),
      },
      requestState: 'multiple',
    });
  }),
  tool('test_input_required_result_multi_round', (_args, ctx) => {
    if (stateOf(ctx) === 'round-2' && answered(ctx, 'step2')) return text('All rounds done');
    if (stateOf(ctx) === 'round-1' && answered(ctx, 'step1')) {
      const step2 = form('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color']);
      return inputRequired({ inputRequests: { step2 }, requestState: 'round-2' });
    }
    return inputRequired({ inputRequests: { step1: asksName('Step 1: What is your name?') }, requestState: 'round-1' });
  }),
  tool('test_missing_capability', (_args, ctx) => {
    const declared = (ctx.mcpReq.envelope as Record<string, Args> | undefined)?.[
      'io.modelcontextprotocol/clientCapabilities'
    ];
    if (declared?.sampling !== undefined) return text('sampling is declared');
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  }),
  tool(
    'test_streaming_elicitation',
    asking(
      'name',
      () => asksName('Who is there?'),
      () => 'done',
    ),
  ),
  tool('test_logging_tool', async (_args, ctx) => {
    await ctx.mcpReq.log('info', 'a line that nobody asked for');
    return text('logged');
  }),
  tool('test_trigger_tool_change', () => {
    lists.changeTools();
    return text('changed');
  }),
  tool('test_trigger_prompt_change', () => {
    lists.changePrompts();
    return text('changed');
  }),
  tool('test_input_required_result_capabilities', (_args, ctx) => {
    const declared = (ctx.mcpReq.envelope as Record<string, Args> | undefined)?.[
      'io.modelcontextprotocol/clientCapabilities'
    ];
    if (answered(ctx, 'sample') ?? answered(ctx, 'user_name')) return text('done');
    const inputRequests = {
      ...(declared?.sampling !== undefined && { sample: sampling('Say hi', 50) }),
      ...(declared?.elicitation !== undefined && { user_name: asksName('What is your name?') }),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : text('nothing to ask with');
  }),
]);
