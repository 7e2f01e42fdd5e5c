import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Credentials and region for stand-ins, which take any. */
export const ANY_CREDENTIALS = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
};

/** Makes the gateway's table where the environment points the AWS SDK, and gives its name. */
export async function createGatewayTable(): Promise<string> {
  const tableName = 'gateway';
  const client = new DynamoDBClient({});
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
    }),
  );
  client.destroy();
  return tableName;
}
