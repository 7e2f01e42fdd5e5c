import * as z from 'zod';

/** Days CloudWatch keeps log lines: the values it accepts that make sense here. */
const retentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653] as const;

/** What API Gateway takes: labels of at most 63 characters. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const ACM_CERTIFICATE = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;

/** How the gateway is deployed to AWS; read at synth only. */
export const deploySchema = z.strictObject({
  /** The last part of the URL, and of the stack's name. */
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,19}$/, 'must be 1 to 20 small letters and digits, the first a letter')
    .default('prod'),
  /** Memory of the function that runs scripts, MB; processing power grows with it. Go needs 512. */
  memory_mb: z.int().min(256).max(10_240).default(1024),
  /** Serve callers without a token at a public URL. */
  public: z.boolean().default(false),
  /** A name of your own; the certificate is one of ACM in the stack's region. */
  domain: z
    .strictObject({
      name: z.string().regex(HOST_NAME, 'must be a host name in small letters, e.g. mcp.example.com'),
      certificate_arn: z
        .string()
        .regex(ACM_CERTIFICATE, "must be the ARN of a certificate of ACM, in the stack's region"),
    })
    .optional(),
  /** Requests a second over all callers, and how many at once above that. */
  throttle: z
    .strictObject({ rate: z.number().positive().default(50), burst: z.int().min(1).default(100) })
    .prefault({}),
  /** Environments at once; absent: the account's own limit. */
  reserved_concurrency: z.int().min(1).optional(),
  /** Where alarms are mailed to. */
  alarm_email: z.email('must be an e-mail address').optional(),
  log_retention_days: z.literal([...retentionDays]).default(30),
  /** X-Ray tracing of every request. */
  tracing: z.boolean().default(false),
  /** Node's permission model, where no server is started by a command: no processes, no files but the bundle's. */
  permission_model: z.boolean().default(true),
});
