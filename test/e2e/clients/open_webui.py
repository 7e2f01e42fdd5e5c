"""Uses a server the way Open-WebUI does on every chat message: connect, initialize, list, call, disconnect.

Usage: open_webui.py URL TIMES AT_ONCE. Prints one line of JSON.
"""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

from mcp import ClientSession
from mcp.client import streamable_http


@asynccontextmanager
async def streams(url):
    """The transport's two streams; the older library gives a third thing, the newer does not."""
    connect = getattr(streamable_http, "streamablehttp_client", None) or streamable_http.streamable_http_client
    async with connect(url) as given:
        yield given[0], given[1]


def field(thing, *names):
    """A field by its name in whichever version of the library."""
    return next(getattr(thing, name) for name in names if hasattr(thing, name))


async def once(url):
    async with streams(url) as (read, write):
        async with ClientSession(read, write) as session:
            hello = await asyncio.wait_for(session.initialize(), 10)
            tools = await session.list_tools()
            code = "everything.get_sum({ a: 2, b: 40 })"
            answer = await session.call_tool("execute_code", {"code": code})
            direct = await session.call_tool("everything__get-sum", {"a": 1, "b": 2})
            return {
                "protocol": field(hello, "protocolVersion", "protocol_version"),
                "tools": len(tools.tools),
                "value": json.loads(answer.content[0].text)["value"],
                "direct": direct.content[0].text,
                "error": field(answer, "isError", "is_error"),
            }


async def main(url, times, at_once):
    seen = [await once(url) for _ in range(times)]
    seen += await asyncio.gather(*(once(url) for _ in range(at_once)))
    distinct = [json.loads(text) for text in sorted({json.dumps(one, sort_keys=True) for one in seen})]
    print(json.dumps({"count": len(seen), "distinct": distinct}))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
