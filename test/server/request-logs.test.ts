import { expect, it } from 'vitest';
import { createRequestLogs } from '../../lib/server/request-logs.ts';

it('tells the requests under way of one user and level, each until it ends', () => {
  const logs = createRequestLogs();
  const ada = { userId: 'ada', admin: false };
  const heard: [string, unknown][] = [];
  const follow = (name: string, userId: string, level = 'info') =>
    logs.follow({ ...ada, userId }, level, ({ data }) => heard.push([name, data]));
  const [first, second, bob] = [follow('first', 'ada'), follow('second', 'ada'), follow('bob', 'bob')];
  const say = (data: string, level = 'info') => first.session.notify!('notifications/message', { level, data });
  say('one');
  say('too small', 'debug');
  first.session.notify!('notifications/resources/updated', { uri: 'a://1', data: 'no log' });
  first.stop();
  // The connection is the user's and lives on: it was opened with the first request's ears.
  say('two');
  second.stop();
  say('nobody hears');
  const third = follow('third', 'ada');
  second.stop();
  say('three');
  third.stop();
  bob.session.notify!('notifications/message', { level: 'info', data: 'four' });
  expect(heard).toEqual([
    ['first', 'one'],
    ['second', 'one'],
    ['second', 'two'],
    ['third', 'three'],
    ['bob', 'four'],
  ]);
});
