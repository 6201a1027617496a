"""Checks the service against its own OpenAPI document with schemathesis: no server error, documented statuses, content types and bodies.

Started by `cargo xtask api`. The service is the real program, over a folder whose files have the short names that generated requests use.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
LEAST_CASES = 2000
FILES = {"0": "one\ntwo\n", "00": "", "a": "alpha\nbeta\n", "A/0": "x\r\ny\r\n", "1": "no newline"}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--hashline", required=True, type=pathlib.Path)
    options.add_argument("--scratch", required=True, type=pathlib.Path)
    options.add_argument("--seed", default="15")
    options.add_argument("--examples", default="100")
    options = options.parse_args()
    lay_out(options.scratch)
    service, urls, token = start(options)
    try:
        passed = check(urls[0], token, options)
    finally:
        service.send_signal(signal.SIGTERM)
        ended = service.wait()
    log = (options.scratch / "serve.log").read_text()
    if token in log or ended != 0 or "panicked" in log:
        print(f"the service ended with {ended} and wrote:\n{log}")
        passed = False
    sys.exit(0 if passed else 1)


def lay_out(scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    for name, text in FILES.items():
        path = scratch / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def start(options):
    scratch = options.scratch.resolve()
    environment = os.environ | {
        "HOME": str(scratch),
        "XDG_STATE_HOME": str(scratch / "state"),
        "XDG_CONFIG_HOME": str(scratch / "config"),
    }
    service = subprocess.Popen(
        [options.hashline, "--json", "serve", "--workspace", f"main={scratch / 'root'}", "--http", "0"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=(scratch / "serve.log").open("wb"),
    )
    announced = json.loads(service.stdout.readline())
    token = pathlib.Path(announced["workspaces"][0]["token_file"]).read_text().strip()
    return service, announced["urls"], token


def check(url, token, options):
    """Runs schemathesis. Returns whether it found nothing, in enough cases."""
    ran = subprocess.run(
        [
            pathlib.Path(sys.executable).with_name("schemathesis"),
            "run",
            f"{url}/openapi.json",
            "--header",
            f"Authorization: Bearer {token}",
            "--checks",
            CHECKS,
            "--max-examples",
            options.examples,
            "--seed",
            options.seed,
            "--no-color",
        ],
        cwd=options.scratch,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(ran.stdout.replace(token, "TOKEN"))
    generated = re.search(r"(\d+) generated", ran.stdout)
    cases = int(generated.group(1)) if generated else 0
    if cases < LEAST_CASES:
        print(f"only {cases} cases were generated, of at least {LEAST_CASES}")
    return ran.returncode == 0 and cases >= LEAST_CASES


if __name__ == "__main__":
    main()
