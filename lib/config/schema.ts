import * as z from 'zod';
import { deploySchema } from './deploy-schema.ts';

/** Bytes, milliseconds and counts are whole numbers. */
const count = z.int().min(0);
const positive = z.int().min(1);
const ids = z.array(z.string().min(1));

export const exposures = ['both', 'proxy', 'code'] as const;
export const toolExposures = ['both', 'proxy', 'code', 'none'] as const;
export const languages = ['javascript', 'lua', 'go'] as const;

const toolExpose = z.strictObject({
  name: z.string().min(1),
  expose: z.enum(toolExposures).optional(),
  users: z.array(z.strictObject({ id: z.string().min(1), expose: z.enum(toolExposures) })).default([]),
});

const upstream = z.strictObject({
  name: z.string().min(1),
  alias: z.string().min(1).optional(),
  transport: z.enum(['stdio', 'http', 'sse']),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  working_dir: z.string().default(''),
  url: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  max_retries: count.default(5),
  connect_timeout_s: z.number().positive().default(30),
  expose: z.enum(exposures).default('both'),
  tool_expose: z.array(toolExpose).default([]),
  users: z.array(z.strictObject({ id: z.string().min(1), expose: z.enum(exposures) })).default([]),
  forward_auth: z.enum(['session', 'minted', 'user_headers', 'none']).optional(),
  catalogue: z.enum(['shared', 'per_user']).default('shared'),
  expose_resources: z.boolean().optional(),
  expose_prompts: z.boolean().optional(),
});

/** The whole configuration (CONTRACT, "Configuration"); closed: unknown keys are errors. */
export const configSchema = z.strictObject({
  server: z
    .strictObject({
      name: z.string().min(1).default('mcp-code-mode'),
      version: z.string().min(1).default('0.1.0'),
      transport: z.enum(['stdio', 'http', 'sse']).default('stdio'),
      address: z.string().min(1).default(':8000'),
      allowed_origins: z.array(z.string().min(1)).optional(),
      max_body_bytes: positive.default(4 * 1024 * 1024),
    })
    .prefault({}),
  connector: z.strictObject({ reconnect_interval_s: z.number().positive().default(30) }).prefault({}),
  log: z
    .strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error', 'off']).optional(),
      file: z.string().default(''),
    })
    .prefault({}),
  auth: z
    .strictObject({
      jwt_secret: z.string().default(''),
      user_jwt_secret: z.string().default(''),
      invalid_jwt: z.enum(['reject', 'skip']).default('reject'),
      allow_unverified: z.boolean().default(false),
      require: z.boolean().default(false),
      admins: ids.default([]),
      jwks_url: z.string().optional(),
      issuer: z.string().optional(),
      audience: z.string().optional(),
      mint: z
        .strictObject({
          issuer: z.string().min(1),
          alg: z.enum(['HS256', 'RS256', 'ES256', 'EdDSA']).default('HS256'),
          key: z.string().min(1),
        })
        .optional(),
    })
    .optional(),
  groups: z.record(z.string(), ids).default({}),
  languages: z.array(z.enum(languages)).min(1).default(['javascript', 'lua', 'go']),
  limits: z
    .strictObject({
      max_cpu_time_ms: positive.default(1000),
      max_memory_bytes: positive.default(64 * 1024 * 1024),
      allow_threads: z.boolean().default(false),
      max_tool_calls: positive.default(1000),
      call_timeout_ms: positive.default(30_000),
      max_parallel_calls: positive.default(16),
      max_log_bytes: positive.default(64 * 1024),
      max_result_bytes: positive.default(256 * 1024),
      max_wall_time_ms: positive.default(120_000),
      per_user: z
        .strictObject({
          executions_per_minute: count.default(0),
          executions_per_day: count.default(0),
          tool_calls_per_minute: count.default(0),
          tool_calls_per_day: count.default(0),
        })
        .prefault({}),
    })
    .prefault({}),
  store: z
    .strictObject({
      dir: z.string().default(''),
      bucket: z.string().default(''),
      allow_delete: z.boolean().default(false),
      scope: z.enum(['shared', 'user']).default('shared'),
    })
    .prefault({}),
  registry: z.strictObject({ refresh_s: positive.default(300), cache_s: z.number().min(0).default(15) }).prefault({}),
  upstream: z.array(upstream).default([]),
  deploy: deploySchema.prefault({}),
});

/** A configuration with every default filled in; `${env:…}`-style references still unresolved. */
export type Config = z.infer<typeof configSchema>;

/** One entry of `upstream`. */
export type UpstreamConfig = Config['upstream'][number];
