"""The cases with the Python SDK, which speaks the newest version of the protocol by itself.

It shares the table with the other clients and no code: what one of them overlooks, another sees.
"""

import argparse
import asyncio
import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases.json"
TABLE = {}
SNAPSHOT = HERE / "../../crates/hashline-cli/tests/it/mcp/snapshots/it__mcp__offer__offer.snap"
SHOWN = re.compile(r"^\d+:[0-9a-f]+\|(.*)$", re.M)
NEXT = re.compile(r"^Next: read (\{.*\})$", re.M)
AT_ONCE = 4


class Wrong(Exception):
    """Something is not as it must be."""


def must(holds, what):
    if not holds:
        raise Wrong(what)


class Stage:
    """A folder for one case: its files before, and what they must hold afterwards."""

    def __init__(self, scratch):
        scratch.mkdir(parents=True, exist_ok=True)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="case-", dir=scratch)).resolve()
        self.root = self.home / "files"
        self.root.mkdir()
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
        }

    def args(self, options):
        return ["--root", str(self.root), "--session", "case", "mcp", *options]

    def text(self, text):
        return TABLE["texts"][text[1:]] if text.startswith("@") else text

    def content(self, what):
        if isinstance(what, str):
            return self.text(what).encode()
        if "base64" in what:
            return base64.b64decode(what["base64"])
        if "lines" in what:
            return "".join(line + "\n" for line in counted(what, 1, what["lines"])).encode()
        return what.get("text", "").encode()

    def make(self, files):
        for name, what in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if "link" in what and not isinstance(what, str):
                path.symlink_to(what["link"])
                continue
            path.write_bytes(self.content(what))
            if not isinstance(what, str) and "size" in what:
                os.truncate(path, what["size"])
            if not isinstance(what, str) and "mode" in what:
                path.chmod(what["mode"])

    def check(self, after):
        for name, what in after.items():
            path = self.root / name
            if what is None:
                must(not path.exists(), f"{name} is there")
            else:
                now = path.read_bytes()
                must(now == self.content(what), f"{name} holds {now!r}")

    def remove(self):
        shutil.rmtree(self.home)


def counted(what, first, last):
    return [what["text"].replace("#", str(n)) for n in range(first, last + 1)]


@contextlib.asynccontextmanager
async def connected(asked, stage, options=(), mode="auto"):
    """A client, connected to a server of its own."""
    if asked.over == "stdio":
        server = StdioServerParameters(command=asked.hashline, args=stage.args(options), env=stage.env)
        async with Client(server, mode=mode) as client:
            yield client
        return
    async with serving(asked, stage, options) as (url, token):
        http = create_mcp_http_client(headers={"Authorization": f"Bearer {token}"})
        async with http, Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            yield client


@contextlib.asynccontextmanager
async def serving(asked, stage, options):
    """A server over HTTP."""
    command = [asked.hashline, "--json", *stage.args(options), "--http"]
    child = await asyncio.create_subprocess_exec(*command, env=stage.env, stdout=asyncio.subprocess.PIPE)
    try:
        told = json.loads(await child.stdout.readline())
        url = next(url for url in told["urls"] if "127.0.0.1" in url)
        yield url, pathlib.Path(told["token_file"]).read_text().strip()
    finally:
        child.terminate()
        await child.wait()


async def call(client, tool, arguments):
    """Calls a tool; returns the text, the code of the protocol's error if it is one, and the result."""
    try:
        result = await client.call_tool(tool, arguments)
    except MCPError as error:
        return error.error.message, error.error.code, None
    must(len(result.content) == 1 and result.content[0].type == "text", "it is not one text")
    must(result.structured_content is None, "there is structured content")
    return result.content[0].text, None, result


def filled(value, taken):
    return json.loads(re.sub(r"\$\{(\w+)\}", lambda name: taken[name[1]], json.dumps(value)))


async def walk(case, step, stage, client, taken):
    stage.make(step.get("write", {}))
    stage.check(step.get("after", {}))
    if "tool" not in step:
        return
    text, code, result = await call(client, step["tool"], filled(step["arguments"], taken))
    must(code == step.get("protocol"), f"the protocol says {code}: {text}")
    if result is not None:
        must((result.is_error or False) == step.get("error", False), f"is_error is {result.is_error}: {text}")
    if "text" in step:
        must(text == stage.text(step["text"]), f"it says: {text}")
    for pattern in step.get("match", []):
        must(re.search(pattern, text, re.M), f"{pattern} is not in: {text}")
    for pattern in step.get("lacks", []):
        must(not re.search(pattern, text, re.M), f"{pattern} is in: {text}")
    for name, pattern in step.get("take", {}).items():
        found = re.search(pattern, text, re.M)
        must(found, f"{pattern} takes nothing from: {text}")
        taken[name] = found[1]
    if "shows" in step:
        await follow(step["shows"], case["files"][step["shows"]["file"]], text, client)


async def follow(shows, file, text, client):
    """Goes on with the call that each answer names, to the end: all lines must have been shown, each once."""
    pages, shown = 1, SHOWN.findall(text)
    while go_on := NEXT.search(text):
        text, _, _ = await call(client, "read", json.loads(go_on[1]))
        shown += SHOWN.findall(text)
        pages += 1
        must(pages < 50, "it never ends")
    must(pages >= shows["pages"], f"{pages} pages")
    must(shown == counted(file, shows["first"], shows["last"]), f"it shows {len(shown)} lines")


async def from_table(asked, stage, case):
    stage.make(case.get("files", {}))
    async with connected(asked, stage, case.get("options", [])) as client:
        taken = {}
        for at, step in enumerate(case["steps"], 1):
            try:
                await walk(case, step, stage, client, taken)
            except Wrong as wrong:
                raise Wrong(f"step {at}: {wrong}") from None
    stage.check(case.get("after", {}))


async def offer(asked, stage):
    """The instructions and the tools are those that are offered."""
    wanted = json.loads(SNAPSHOT.read_text().split("\n---\n", 1)[1])
    for mode in ("auto", "legacy"):
        async with connected(asked, stage, mode=mode) as client:
            tools = (await client.list_tools()).tools
            tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
            must(tools == wanted["tools"], f"{mode}: {json.dumps(tools)}")
            must(client.instructions == wanted["instructions"], f"{mode}: {client.instructions}")
            must(client.server_info.name == "hashline", client.server_info)
            newest = {"auto": "2026-07-28", "legacy": "2025-11-25"}[mode]
            must(client.protocol_version == newest, client.protocol_version)


async def many(asked, stage):
    """500 calls at once."""
    stage.make({"a.txt": "one\n"})
    async with connected(asked, stage) as client:
        calls = [call(client, "read", {"path": "a.txt" if n % 2 else "none.txt"}) for n in range(500)]
        for n, (text, _, result) in enumerate(await asyncio.gather(*calls)):
            must((result.is_error or False) == (n % 2 == 0), f"{n}: {text}")


async def cancelled(asked, stage):
    """A call that is given up does not end the connection."""
    text = "a line of no interest at all, which is rather long\n" * 2000
    stage.make({f"wood/{n}.txt": text for n in range(300)})
    async with connected(asked, stage) as client:
        search = asyncio.ensure_future(call(client, "search", {"pattern": "(x+x+)+y"}))
        await asyncio.sleep(0.02)
        search.cancel()
        with contextlib.suppress(asyncio.CancelledError, MCPError):
            await search
        text, _, _ = await call(client, "read", {"path": "wood/0.txt", "limit": 1})
        must("1:" in text, text)


async def run(asked, name, play, failed, room):
    async with room:
        stage = Stage(pathlib.Path(asked.scratch))
        try:
            await asyncio.wait_for(play(asked, stage), 120)
            stage.remove()
            print(f"ok {name}", flush=True)
        except Exception as error:  # Whatever it is, the other cases go on.
            failed.append(name)
            told = f"{type(error).__name__}: {error}"
            if isinstance(error, BaseExceptionGroup):
                told += "; ".join(repr(one) for one in error.exceptions)
            print(f"FAIL {name}: {told}".replace("\n", "\\n"), flush=True)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hashline", required=True)
    parser.add_argument("--scratch", required=True)
    parser.add_argument("--over", choices=["stdio", "http"], default="stdio")
    parser.add_argument("--only", default="")
    parser.add_argument("--table", type=pathlib.Path, default=CASES)
    asked = parser.parse_args()
    TABLE.update(json.loads(asked.table.read_text()))

    def of_table(case):
        return lambda asked, stage: from_table(asked, stage, case)

    plays = [(case["name"], of_table(case)) for case in TABLE["cases"]]
    if asked.table == CASES:
        plays += [(play.__doc__.rstrip("."), play) for play in (offer, many, cancelled)]
    failed, room = [], asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(run(asked, name, play, failed, room) for name, play in plays if asked.only in name))
    sys.exit(1 if failed else 0)


asyncio.run(main())
