"""The attacks find each kind of fault, nothing where there is none, and do the same for the same seed."""

import contextlib
import io
import random
import tempfile
import unittest
from pathlib import Path

import child
from attack import Attack
from judge import Asked, Invalid, check_line
from messages import LEGACY, MODERN, Client
from mutation import mutated
from targets import Faulty

ENOUGH = 400  # conversations until any fault should have been found
SEED = 7
LISTED = {"tools": [{"name": "echo", "inputSchema": {"properties": {"text": {"type": "string"}}}}], "resources": [], "prompts": []}


def attacked(fault, conversations, until=None):
    """An attack of so many conversations, or until a kind of failure was seen."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        attack = Attack(Faulty(fault), SEED, Path(folder))
        for number in range(conversations):
            attack.run(number)
            if until and attack.failures[until]:
                kept = list(Path(folder).iterdir())
                return attack, (kept[0] / "sent").read_bytes(), (kept[0] / "failure").read_text()
    return attack, b"", ""


def conversation(seed, revision):
    chance = random.Random(seed)
    return mutated(Client(revision, LISTED, chance).conversation(40), chance)


class FindFaults(unittest.TestCase):
    def setUp(self):
        before = child.PATIENCE
        self.addCleanup(setattr, child, "PATIENCE", before)

    def assert_found(self, fault, kind, conversations=ENOUGH):
        attack, sent, failure = attacked(fault, conversations, kind)
        self.assertEqual(attack.failures[kind], 1)
        self.assertTrue(failure.startswith(kind + ": "), failure)
        self.assertIn(b"jsonrpc", sent)

    def test_nothing_is_found_where_nothing_is_wrong(self):
        attack, _, _ = attacked("none", 30)
        self.assertEqual(set(attack.failures.values()), {0})
        self.assertGreater(attack.messages, 600)

    def test_a_crash_is_found(self):
        self.assert_found("crash", "death")

    def test_an_invalid_line_is_found(self):
        self.assert_found("invalid", "invalid line")

    def test_a_second_answer_is_found(self):
        self.assert_found("twice", "invalid line")

    def test_a_hang_is_found(self):
        child.PATIENCE = 5
        self.assert_found("hang", "hang")

    def test_a_server_that_does_not_end_is_found(self):
        child.PATIENCE = 5
        self.assert_found("stays", "hang", 1)


class Conversations(unittest.TestCase):
    def test_a_seed_decides_a_conversation(self):
        for revision in (*LEGACY, MODERN):
            self.assertEqual(conversation("1 1", revision), conversation("1 1", revision))
            self.assertNotEqual(conversation("1 1", revision), conversation("1 2", revision))


class Judge(unittest.TestCase):
    def refuses(self, line, sent=b""):
        asked = Asked()
        asked.sent(sent)
        with self.assertRaises(Invalid):
            check_line(line, asked)

    def test_lines_that_no_server_may_write_are_refused(self):
        for line in (b"", b"{", b"[]", b"5", b"\xff", b'{"jsonrpc":"2.0","id":1,"result":NaN}', b'{"id":1,"result":{}}',
                     b'{"jsonrpc":"2.0","id":1}', b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
                     b'{"jsonrpc":"2.0","id":null,"result":{}}', b'{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}',
                     b'{"jsonrpc":"2.0","id":1,"id":1,"result":{}}', b'{"jsonrpc":"2.0","method":5}'):
            self.refuses(line, b'{"id":1}')

    def test_answers_are_counted(self):
        self.refuses(b'{"jsonrpc":"2.0","id":2,"result":{}}', b'{"id":1}')
        self.refuses(b'[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]', b'[{"id":1},{"id":"1"}]')
        asked = Asked()
        asked.sent(b'{"id":1.0}')
        check_line(b'{"jsonrpc":"2.0","id":1,"result":{}}', asked)


if __name__ == "__main__":
    unittest.main()
