import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { AWS_PATIENCE } from './aws-patience.ts';
import { CodeModeError } from './errors.ts';

/** What an attribute may hold; absent ones are not stored. */
export type Attribute = string | number | boolean | Uint8Array | undefined;

/** An item of the one table; `expiresAt` (epoch seconds) lets DynamoDB delete it some time after. */
export interface Item {
  pk: string;
  sk: string;
  expiresAt?: number;
  [attribute: string]: Attribute;
}

/** A condition in DynamoDB's own language, with its `#names` and `:values`. */
export interface Condition {
  condition?: string;
  names?: Record<string, string>;
  values?: Record<string, Attribute>;
}

/** The one table, with plain values. Rejects with `internal` where it cannot be reached or refuses. */
export interface Table {
  /** Strongly consistent, so that what one environment wrote another one reads. */
  get(pk: string, sk: string): Promise<Item | undefined>;
  /** All items of a partition in the order of `sk`, to the last page; strongly consistent. */
  query(pk: string, options?: { prefix?: string }): Promise<Item[]>;
  /** False where the condition does not hold; `old` is what stood there before. */
  put(item: Item, condition?: Condition): Promise<{ done: boolean; old?: Item }>;
  /** As `put`, with an update expression (`SET …`, `ADD …`); `new` is what stands there after. */
  update(pk: string, sk: string, change: Condition & { expression: string }): Promise<{ done: boolean; new?: Item }>;
  /** False where there was nothing to delete, or the condition does not hold. */
  delete(pk: string, sk: string, condition?: Condition): Promise<boolean>;
}

/** The SDK waits between attempts, longer each time. */
const ATTEMPTS = 4;

function toAttribute(value: Exclude<Attribute, undefined>): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  return { B: value };
}

function toAttributes(values: Record<string, Attribute>): Record<string, AttributeValue> {
  const present = Object.entries(values).filter((entry): entry is [string, Exclude<Attribute, undefined>] => {
    return entry[1] !== undefined;
  });
  return Object.fromEntries(present.map(([name, value]) => [name, toAttribute(value)]));
}

function fromAttributes(attributes: Record<string, AttributeValue>): Item {
  const plain = Object.entries(attributes).map(([name, { S, N, BOOL, B }]): [string, Attribute] => {
    return [name, S ?? (N === undefined ? (BOOL ?? B) : Number(N))];
  });
  return Object.fromEntries(plain) as Item;
}

/** The table of this name; region and credentials come from the environment. */
export function createTable(name: string): Table {
  const client = new DynamoDBClient({ maxAttempts: ATTEMPTS, requestHandler: AWS_PATIENCE });
  const key = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });
  const terms = ({ condition, names, values }: Condition) => ({
    ...(condition ? { ConditionExpression: condition } : {}),
    ...(names ? { ExpressionAttributeNames: names } : {}),
    ...(values ? { ExpressionAttributeValues: toAttributes(values) } : {}),
  });

  /** A failed condition is an answer, not an error. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      const message = 'The storage of this gateway does not answer at the moment; try again shortly.';
      throw new CodeModeError('internal', message, { cause: error });
    }
  }

  return {
    async get(pk, sk) {
      const command = new GetItemCommand({ TableName: name, Key: key(pk, sk), ConsistentRead: true });
      const answer = await attempt(() => client.send(command));
      return answer?.Item && fromAttributes(answer.Item);
    },

    async query(pk, { prefix } = {}) {
      const items: Item[] = [];
      let from: Record<string, AttributeValue> | undefined;
      do {
        const command = new QueryCommand({
          TableName: name,
          KeyConditionExpression: prefix ? 'pk = :pk AND begins_with(sk, :prefix)' : 'pk = :pk',
          ExpressionAttributeValues: toAttributes({ ':pk': pk, ...(prefix ? { ':prefix': prefix } : {}) }),
          ConsistentRead: true,
          ExclusiveStartKey: from,
        });
        const answer = await attempt(() => client.send(command));
        items.push(...(answer?.Items ?? []).map(fromAttributes));
        from = answer?.LastEvaluatedKey;
      } while (from);
      return items;
    },

    async put(item, condition = {}) {
      const command = new PutItemCommand({
        TableName: name,
        Item: toAttributes(item),
        ReturnValues: 'ALL_OLD',
        ...terms(condition),
      });
      const answer = await attempt(() => client.send(command));
      return { done: answer !== undefined, ...(answer?.Attributes ? { old: fromAttributes(answer.Attributes) } : {}) };
    },

    async update(pk, sk, { expression, ...condition }) {
      const command = new UpdateItemCommand({
        TableName: name,
        Key: key(pk, sk),
        UpdateExpression: expression,
        ReturnValues: 'ALL_NEW',
        ...terms(condition),
      });
      const answer = await attempt(() => client.send(command));
      return { done: answer !== undefined, ...(answer?.Attributes ? { new: fromAttributes(answer.Attributes) } : {}) };
    },

    async delete(pk, sk, condition = {}) {
      const command = new DeleteItemCommand({
        TableName: name,
        Key: key(pk, sk),
        ReturnValues: 'ALL_OLD',
        ...terms(condition),
      });
      const answer = await attempt(() => client.send(command));
      return answer?.Attributes !== undefined;
    },
  };
}
