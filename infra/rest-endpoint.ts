import { Aws, CfnOutput, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  ResponseType,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { unauthorized } from '../functions/unauthorized.ts';
import type { Config } from '../lib/config/schema.ts';

/** The longest a streamed answer may take (API Gateway's own limit); CDK would take more, AWS would not. */
const MAX_ANSWER = Duration.minutes(15);

/** What an endpoint needs to know. */
export interface RestEndpointProps {
  handler: LambdaFunction;
  deploy: Config['deploy'];
  auth: Config['auth'];
  /** Verifies the token before the gateway runs and says whose environment it runs in. */
  authorizer?: IAuthorizer | undefined;
}

/** Names, times and sizes; never headers, queries or bodies, where tokens are. */
const ACCESS_LOG = AccessLogFormat.custom(
  JSON.stringify({
    time: AccessLogField.contextRequestTime(),
    requestId: AccessLogField.contextRequestId(),
    method: AccessLogField.contextHttpMethod(),
    path: AccessLogField.contextPath(),
    status: AccessLogField.contextStatus(),
    bytes: AccessLogField.contextResponseLength(),
    latencyMs: AccessLogField.contextResponseLatency(),
    ip: AccessLogField.contextIdentitySourceIp(),
  }),
);

/** API Gateway, REST and regional: the only kind that streams answers for 15 minutes. */
export class RestEndpoint extends Construct {
  readonly api: RestApi;
  readonly url: string;
  /** Answers of 500 and above, the function's own and those given in its place. */
  readonly serverErrors: IMetric;

  constructor(scope: Construct, id: string, { handler, deploy, auth, authorizer }: RestEndpointProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'AccessLogs', {
      retention: deploy.log_retention_days as RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const integration = new LambdaIntegration(handler, {
      responseTransferMode: ResponseTransferMode.STREAM,
      timeout: MAX_ANSWER,
      allowTestInvoke: false,
      ...(authorizer
        ? { requestParameters: { 'integration.request.header.X-Amz-Tenant-Id': 'context.authorizer.tenant' } }
        : {}),
    });
    this.api = new RestApi(this, 'Api', {
      restApiName: `mcp-code-mode-${deploy.stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // Every path reaches the gateway, which answers 404 itself: one behaviour everywhere.
      defaultIntegration: integration,
      defaultMethodOptions: authorizer
        ? { authorizer, authorizationType: AuthorizationType.CUSTOM }
        : { authorizationType: AuthorizationType.NONE },
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      disableExecuteApiEndpoint: deploy.domain !== undefined,
      deployOptions: {
        stageName: deploy.stage,
        throttlingRateLimit: deploy.throttle.rate,
        throttlingBurstLimit: deploy.throttle.burst,
        accessLogDestination: new LogGroupLogDestination(logGroup),
        accessLogFormat: ACCESS_LOG,
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        // Per method and paid for each; those of the whole API are free.
        metricsEnabled: false,
        tracingEnabled: deploy.tracing,
      },
      ...(deploy.domain
        ? {
            domainName: {
              domainName: deploy.domain.name,
              certificate: Certificate.fromCertificateArn(this, 'Certificate', deploy.domain.certificate_arn),
              endpointType: EndpointType.REGIONAL,
              securityPolicy: SecurityPolicy.TLS_1_2,
            },
          }
        : {}),
    });
    this.api.root.addProxy({ anyMethod: true });
    this.url = deploy.domain ? `https://${deploy.domain.name}/mcp` : this.api.urlForPath('/mcp');
    this.serverErrors = this.api.metricServerError({ statistic: Stats.SUM });
    if (authorizer) this.answerStrangers(deploy, auth);
    if (this.api.domainName) {
      new CfnOutput(this, 'DomainTarget', {
        description: `Point a CNAME (or alias) record of ${deploy.domain?.name} here`,
        value: this.api.domainName.domainNameAliasDomainName,
      });
    }
    this.acknowledge(authorizer !== undefined);
  }

  /** An authorizer's refusal is API Gateway's to say; in words the protocol knows. */
  private answerStrangers({ domain, stage }: Config['deploy'], auth: Config['auth']): void {
    const base = domain
      ? `https://${domain.name}`
      : `https://${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stage}`;
    const { challenge, body } = unauthorized(base, auth);
    this.api.addGatewayResponse('Unauthorized', {
      type: ResponseType.UNAUTHORIZED,
      responseHeaders: { 'WWW-Authenticate': `'${challenge}'` },
      templates: { 'application/json': body },
    });
  }

  private acknowledge(authorized: boolean): void {
    Validations.of(this.api).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason: 'The gateway checks every message by the protocol itself and answers as the protocol wants.',
      },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason: "API Gateway's own, one for the whole account: it can write no log without it.",
      },
      {
        id: 'AwsSolutions-COG4',
        reason: 'Callers come with the tokens of Open-WebUI or of another issuer; the gateway verifies them (auth).',
      },
      ...(authorized
        ? []
        : [
            {
              id: 'AwsSolutions-APIG4',
              reason: 'The gateway verifies tokens itself, so that a refusal is one the protocol knows.',
            },
          ]),
      {
        id: 'AwsSolutions-APIG3',
        reason:
          'Throttled here, and closed to strangers by the configuration; a web ACL can be attached by who wants one.',
      },
    );
  }
}
