import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANONYMOUS, type Caller } from '../../lib/access/caller.ts';
import { exposureFor, mayKnowOf } from '../../lib/access/rights.ts';
import { rightsKey } from '../../lib/access/rights-key.ts';
import { configSchema, exposures, toolExposures, type UpstreamConfig } from '../../lib/config/schema.ts';
import { type Case, oracle } from './rights-oracle.ts';

const user = (userId: string): Caller => ({ userId, admin: false });

/** An upstream as the configuration's own schema would give it. */
function upstream(fields: object): UpstreamConfig {
  return configSchema.parse({ upstream: [{ name: 's', transport: 'http', url: 'http://h/mcp', ...fields }] })
    .upstream[0]!;
}

/** Every combination of the four levels, each absent or in every mode, for every kind of caller and way of being named. */
function* cases(): Generator<Case> {
  for (const server of exposures)
    for (const serverUser of [undefined, ...exposures])
      for (const tool of [undefined, ...toolExposures])
        for (const toolUser of [undefined, ...toolExposures])
          for (const who of ['named', 'in group', 'unknown', 'anonymous'] as const)
            yield { server, serverUser, tool, toolUser, who };
}

function build({ server, serverUser, tool, toolUser, who }: Case): [UpstreamConfig, Caller] {
  const id = who === 'in group' ? 'team' : 'ann';
  const entries = (expose: string | undefined) =>
    expose
      ? [
          { id: 'zoe', expose: 'both' },
          { id, expose },
        ]
      : [];
  const named = tool || toolUser;
  return [
    upstream({
      expose: server,
      users: entries(serverUser),
      tool_expose: [
        { name: 'other', expose: 'none' },
        ...(named ? [{ name: 'tool', ...(tool && { expose: tool }), users: entries(toolUser) }] : []),
      ],
    }),
    who === 'anonymous' ? ANONYMOUS : user(who === 'unknown' ? 'eve' : 'ann'),
  ];
}

const groups = { team: ['bob', 'ann'], others: ['bob'] };

describe('exposureFor', () => {
  it('agrees with the written-out table in every combination of levels, modes and callers', () => {
    let count = 0;
    for (const one of cases()) {
      const [config, caller] = build(one);
      expect(exposureFor(config, 'tool', caller, groups), JSON.stringify(one)).toBe(oracle(one));
      count += 1;
    }
    expect(count).toBe(3 * 4 * 5 * 5 * 4);
    expect(count).toBeGreaterThan(1000);
  });

  it('takes the words of the configuration for a tool by its exact original name only', () => {
    const config = upstream({ tool_expose: [{ name: 'delete_path', expose: 'none' }] });
    expect(exposureFor(config, 'delete_path', ANONYMOUS, {})).toBe('none');
    for (const near of ['Delete_Path', 'delete_path ', 'delete-path', 'delete_paths', '', 'constructor', '__proto__']) {
      expect(exposureFor(config, near, ANONYMOUS, {}), near).toBe('both');
    }
  });

  it('lets the entry of a user come before the entries of their groups, wherever it stands', () => {
    const users = [
      { id: 'team', expose: 'code' },
      { id: 'ann', expose: 'proxy' },
    ];
    for (const order of [users, users.toReversed()]) {
      expect(exposureFor(upstream({ users: order }), 'tool', user('ann'), groups)).toBe('proxy');
      expect(exposureFor(upstream({ users: order }), 'tool', user('bob'), groups)).toBe('code');
    }
  });

  it('lets the first of several groups in the file decide', () => {
    const users = [
      { id: 'others', expose: 'code' },
      { id: 'team', expose: 'proxy' },
    ];
    expect(exposureFor(upstream({ users }), 'tool', user('bob'), groups)).toBe('code');
    expect(exposureFor(upstream({ users: users.toReversed() }), 'tool', user('bob'), groups)).toBe('proxy');
    expect(exposureFor(upstream({ users }), 'tool', user('ann'), groups)).toBe('proxy');
  });

  it('lets the first of several entries for one user decide', () => {
    const users = [
      { id: 'ann', expose: 'code' },
      { id: 'ann', expose: 'proxy' },
    ];
    expect(exposureFor(upstream({ users }), 'tool', user('ann'), groups)).toBe('code');
  });

  it('joins several entries for one tool, so that a later "none" is not lost', () => {
    const config = upstream({
      tool_expose: [
        { name: 'tool', users: [{ id: 'ann', expose: 'code' }] },
        { name: 'tool', expose: 'none', users: [{ id: 'bob', expose: 'proxy' }] },
        { name: 'tool', expose: 'both' },
      ],
    });
    expect(exposureFor(config, 'tool', user('ann'), {})).toBe('code');
    expect(exposureFor(config, 'tool', user('bob'), {})).toBe('proxy');
    expect(exposureFor(config, 'tool', user('eve'), {})).toBe('none');
  });

  it('never takes the name of a group for a user of that id', () => {
    const config = upstream({ expose: 'code', users: [{ id: 'team', expose: 'both' }] });
    expect(exposureFor(config, 'tool', user('team'), groups)).toBe('code');
    expect(exposureFor(config, 'tool', user('team'), { ...groups, team: ['team'] })).toBe('code');
    const nested = upstream({ expose: 'code', users: [{ id: 'all', expose: 'both' }] });
    expect(exposureFor(nested, 'tool', user('ann'), { ...groups, all: ['team'] })).toBe('code');
    expect(exposureFor(nested, 'tool', user('team'), { ...groups, all: ['team'] })).toBe('code');
  });

  it('reads "group:NAME" as the group of that name and nothing else', () => {
    const config = upstream({ expose: 'code', users: [{ id: 'group:team', expose: 'both' }] });
    expect(exposureFor(config, 'tool', user('ann'), groups)).toBe('both');
    expect(exposureFor(config, 'tool', user('eve'), groups)).toBe('code');
    expect(exposureFor(config, 'tool', user('ann'), {})).toBe('code');
    expect(exposureFor(config, 'tool', user('group:team'), {})).toBe('code');
    expect(exposureFor(config, 'tool', user('group:team'), { team: ['group:team'] })).toBe('code');
    expect(exposureFor(config, 'tool', user('team'), groups)).toBe('code');
    const odd = upstream({ expose: 'code', users: [{ id: 'group:', expose: 'both' }] });
    expect(exposureFor(odd, 'tool', user('ann'), { '': ['ann'] })).toBe('both');
    expect(exposureFor(odd, 'tool', user(''), {})).toBe('code');
  });

  it('grants nothing by names that every object has', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype']) {
      const config = upstream({ expose: 'code', users: [{ id: name, expose: 'both' }] });
      expect(exposureFor(config, 'tool', user('ann'), {}), name).toBe('code');
      expect(exposureFor(config, 'tool', user(name), {}), name).toBe('both');
      expect(exposureFor(upstream({ expose: 'code' }), name, user(name), {}), name).toBe('code');
      const own = Object.fromEntries([[name, ['ann']]]);
      expect(exposureFor(config, 'tool', user('ann'), own), name).toBe('both');
      expect(exposureFor(config, 'tool', user(name), own), name).toBe('code');
    }
  });

  it('gives nobody but the named user anything else than anonymous callers get', () => {
    const id = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('ann', '__proto__', 'team', 'ANN', 'ann ', 'anń'));
    fc.assert(
      fc.property(id, fc.array(fc.record({ id, expose: fc.constantFrom(...exposures) })), (userId, users) => {
        const config = upstream({ users, tool_expose: [{ name: 't', users }] });
        fc.pre(!users.some((entry) => entry.id === userId));
        for (const tool of ['t', 'x']) {
          expect(exposureFor(config, tool, user(userId), {})).toBe(exposureFor(config, tool, ANONYMOUS, {}));
        }
      }),
    );
  });
});

describe('mayKnowOf', () => {
  const knows = (fields: object, ...ids: (string | undefined)[]) =>
    ids.filter((id) => mayKnowOf(upstream(fields), id === undefined ? ANONYMOUS : user(id), groups));

  it('is true of a server whose tools nobody closed, whatever it exposes', () => {
    expect(knows({}, 'ann', undefined)).toEqual(['ann', undefined]);
    expect(knows({ expose: 'code', users: [{ id: 'ann', expose: 'proxy' }] }, 'eve', undefined)).toHaveLength(2);
    expect(knows({ tool_expose: [{ name: 'a', expose: 'code' }] }, undefined)).toHaveLength(1);
  });

  it('is false where every tool that is named is closed to the caller and one is open to others', () => {
    const hidden = {
      tool_expose: [
        { name: 'a', expose: 'none', users: [{ id: 'group:team', expose: 'code' }] },
        { name: 'b', expose: 'none' },
      ],
    };
    expect(knows(hidden, 'ann', 'bob', 'eve', 'team', undefined)).toEqual(['ann', 'bob']);
    const mixed = [
      { id: 'eve', expose: 'none' },
      { id: 'ann', expose: 'both' },
    ];
    expect(knows({ tool_expose: [{ name: 'a', expose: 'none', users: mixed }] }, 'ann', 'eve')).toEqual(['ann']);
    const closedToOne = { tool_expose: [{ name: 'a', users: [{ id: 'eve', expose: 'none' }] }] };
    expect(knows(closedToOne, 'ann', 'eve', undefined)).toEqual(['ann', undefined]);
  });

  it('is true where a tool is closed to everybody: such a rule hides no server', () => {
    for (const users of [[], [{ id: 'ann', expose: 'none' }]]) {
      const rules = [{ name: 'delete_path', expose: 'none', users }];
      expect(knows({ tool_expose: rules }, 'ann', 'eve', undefined)).toHaveLength(3);
    }
  });
});

describe('rightsKey', () => {
  const config = configSchema.parse({
    groups,
    auth: { jwt_secret: 's' },
    upstream: [
      { name: 'a', transport: 'http', url: 'http://h', users: [{ id: 'ann', expose: 'code' }] },
      {
        name: 'b',
        transport: 'http',
        url: 'http://h',
        tool_expose: [
          { name: 't', users: [{ id: 'team', expose: 'none' }] },
          {
            name: 'u',
            users: [
              { id: 'others', expose: 'none' },
              { id: 'team', expose: 'code' },
            ],
          },
        ],
      },
    ],
  });

  it('is the same for everybody the configuration does not speak of', () => {
    expect(rightsKey(config, ANONYMOUS)).toBe('');
    for (let index = 0; index < 10_000; index += 1) expect(rightsKey(config, user(`user-${index}`))).toBe('');
    expect(rightsKey(config, user('team'))).toBe('');
  });

  it('differs between callers the configuration tells apart', () => {
    expect(rightsKey(config, user('ann'))).toBe('[["ann"],["team"]]');
    expect(rightsKey(config, user('bob'))).toBe('[[],["others","team"]]');
  });

  it('is equal only where every right is equal', () => {
    const id = fc.constantFrom('ann', 'bob', 'team', 'others', '__proto__');
    const users = fc.array(fc.record({ id, expose: fc.constantFrom(...exposures) }), { maxLength: 4 });
    fc.assert(
      fc.property(users, users, id, id, (server, tool, one, two) => {
        const parsed = { upstream: [upstream({ users: server, tool_expose: [{ name: 't', users: tool }] })], groups };
        fc.pre(rightsKey(parsed, user(one)) === rightsKey(parsed, user(two)));
        for (const name of ['t', 'x']) {
          const [a, b] = [one, two].map((who) => exposureFor(parsed.upstream[0]!, name, user(who), groups));
          expect(a).toBe(b);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
