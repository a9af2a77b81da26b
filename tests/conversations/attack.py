#!/usr/bin/env python3
"""Attacks a server with mutated conversations and counts what goes wrong: deaths, hangs and invalid lines.

usage: attack.py --target everything|workspace|toolwire-bridge --programs FOLDER [--seed N] [--seconds S | --conversations N]
                 [--keep FOLDER] [--only N] [--patience S]

A run is decided by its seed: conversation N of a seed is the same each time (--only N repeats it alone). What fails is kept
below --keep: the bytes that were sent, and what the server wrote to standard error. Ends with 1 if anything went wrong.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

import child
from child import Child, Failure
from messages import LEGACY, LISTS, MODERN, Client, answer_to
from mutation import mutated
from targets import target_named

LENGTH = 40  # messages of a conversation before it is mutated


class Attack:
    def __init__(self, target, seed, keep):
        self._target = target
        self._seed = seed
        self._keep = keep
        self._listed = None
        self.messages = 0
        self.conversations = 0
        self.failures = {"death": 0, "hang": 0, "invalid line": 0}

    def run(self, number):
        """One conversation; True if nothing went wrong."""
        sent = []
        with tempfile.TemporaryDirectory(prefix="toolwire-conversation-", ignore_cleanup_errors=True) as name:
            command, environment = self._target.prepare(Path(name))
            server = Child(command, name, environment)
            try:
                if self._listed is None:
                    self._listed = self._lists_of(server)
                for lines in self._conversation(number, server):
                    sent.append(lines)
                    server.send(lines)
                server.sync()
                server.end()
                return True
            except Failure as failure:
                self.failures[failure.kind] += 1
                server.kill()
                self._keep_failure(number, failure, sent, server.errors())
                return False
            finally:
                server.kill()
                self.conversations += 1

    def _lists_of(self, server):
        """What the server offers, asked for as a client does."""
        for line in (b'{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18",'
                     b'"capabilities":{},"clientInfo":{"name":"attacker","version":"1"}}}\n',
                     b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'):
            server.send(line)
        server.sync()
        for method in LISTS:
            server.send(b'{"jsonrpc":"2.0","id":"%b","method":"%b"}\n' % (method.encode(), method.encode()))
        server.sync()
        listed = {}
        for method in LISTS:
            kind = "resourceTemplates" if "templates" in method else method.split("/")[0]
            listed[kind] = server.answers.get("s" + method, {}).get("result", {}).get(kind, [])
        if not listed["tools"]:
            raise Failure("invalid line", "expected tools")
        return listed

    def _conversation(self, number, server):
        """What is sent, piece by piece. In between the server's questions are answered."""
        chance = random.Random(f"{self._seed} {number}")
        client = Client(chance.choice([*LEGACY, MODERN, MODERN]), self._listed, chance)
        lines = mutated(client.conversation(LENGTH), chance)
        while lines:
            count = chance.choice([1, 1, 2, 5, 20])
            self.messages += len(lines[:count])
            yield b"".join(lines[:count])
            del lines[:count]
            if chance.random() < 0.2:
                server.sync()
            for request in server.taken_requests():
                yield child.encoded(answer_to(request, chance))

    def _keep_failure(self, number, failure, sent, errors):
        folder = self._keep / f"{self._target.name}-{self._seed}-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "sent").write_bytes(b"".join(sent))
        (folder / "errors").write_text(errors)
        (folder / "failure").write_text(f"{failure}\n")
        print(f"{self._target.name}: conversation {number} of seed {self._seed}: {failure}\n  kept in {folder}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", required=True)
    parser.add_argument("--programs", default=".", help="the folder of the built programs")
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time, which is printed")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--conversations", type=int, default=None, help="so many instead of a time")
    parser.add_argument("--only", type=int, default=None, help="this conversation alone")
    parser.add_argument("--keep", type=Path, default=Path("failed-conversations"))
    parser.add_argument("--patience", type=float, default=child.PATIENCE, help="seconds until a server counts as hanging")
    return parser.parse_args()


def numbers(given, began):
    if given.only is not None:
        yield given.only
        return
    number = 0
    while number < given.conversations if given.conversations is not None else time.monotonic() - began < given.seconds:
        yield number
        number += 1


def main():
    given = arguments()
    child.PATIENCE = given.patience
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    attack = Attack(target_named(given.target, given.programs), seed, given.keep)
    for number in numbers(given, time.monotonic()):
        attack.run(number)
    counts = ", ".join(f"{kind}s: {count}" for kind, count in attack.failures.items())
    print(f"{given.target}, seed {seed}: conversations: {attack.conversations}, messages: {attack.messages}, {counts}")
    return 1 if any(attack.failures.values()) or attack.conversations == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
