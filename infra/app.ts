import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ConfigError, loadConfig } from '../lib/config/load.ts';
import { GatewayStack } from './gateway-stack.ts';
import { readOptions } from './options.ts';

/** Ends the synth with one line a problem. */
function refuse(problems: readonly string[]): never {
  for (const problem of problems) console.error(`error: ${problem}`);
  process.exit(1);
}

const app = new App();
const file = String(app.node.tryGetContext('config') ?? 'config.yaml');
try {
  const { config, warnings } = loadConfig({ argv: ['--config', file], env: {}, cwd: process.cwd(), target: 'aws' });
  const { options, problems, ...chosen } = readOptions((key) => app.node.tryGetContext(key), config);
  for (const warning of [...warnings, ...chosen.warnings]) console.error(`warning: ${warning}`);
  if (problems.length > 0) refuse(problems);
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  new GatewayStack(app, `mcp-code-mode-${config.deploy.stage}`, {
    config,
    options,
    ...(account && region ? { env: { account, region } } : {}),
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
} catch (error) {
  if (error instanceof ConfigError) refuse(error.problems);
  throw error;
}
