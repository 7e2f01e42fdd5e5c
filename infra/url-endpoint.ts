import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FunctionUrlAuthType, InvokeMode, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/** A function's own URL: streams too, costs nothing of its own, but has no throttle, access log or domain. */
export class UrlEndpoint extends Construct {
  readonly url: string;
  /** Answers of 500 and above, the function's own and those given in its place. */
  readonly serverErrors: IMetric;

  constructor(scope: Construct, id: string, { handler }: { handler: LambdaFunction }) {
    super(scope, id);
    const { url } = handler.addFunctionUrl({
      // The gateway verifies tokens itself; IAM signatures are nothing that MCP clients send.
      authType: FunctionUrlAuthType.NONE,
      invokeMode: InvokeMode.RESPONSE_STREAM,
    });
    this.url = `${url}mcp`;
    this.serverErrors = handler.metric('Url5xxCount', { statistic: Stats.SUM });
  }
}
