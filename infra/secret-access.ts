import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { findReferences } from '../lib/config/references.ts';

/** An ARN with the six characters; one without them names the same secret when it is read, but not in a policy. */
const WHOLE_ARN = /-[A-Za-z0-9]{6}$/;

/** Every `${…}` in any text of a value. */
function referencesIn(value: unknown): ReturnType<typeof findReferences>['references'] {
  if (typeof value === 'string') return findReferences(value).references;
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

/** Lets a function read exactly the secrets and parameters that a part of the configuration names. */
export function grantReferences(stack: Stack, grantee: IGrantable, part: unknown): void {
  const references = referencesIn(part);
  const idsOf = (kind: string) =>
    [...new Set(references.filter((one) => one.kind === kind).map(({ id }) => id))].sort();
  const allow = (action: string, resources: string[]) => {
    if (resources.length > 0) {
      grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions: [action], resources }));
    }
  };
  allow(
    'ssm:GetParameter',
    idsOf('ssm').map((name) =>
      stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.replace(/^\//, '') }),
    ),
  );
  allow(
    'secretsmanager:GetSecretValue',
    // Secrets Manager ends every ARN with six characters of its own.
    idsOf('secret').map((id) =>
      id.startsWith('arn:')
        ? WHOLE_ARN.test(id)
          ? id
          : `${id}-??????`
        : stack.formatArn({
            service: 'secretsmanager',
            resource: 'secret',
            resourceName: `${id}-??????`,
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
    ),
  );
}
