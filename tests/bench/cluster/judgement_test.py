#!/usr/bin/env python3
"""Whatever must not happen to a cluster is seen when it does."""

import unittest

import client
import faults
import rate


def fate(what, attempts=1):
    return client.Fate(what=what, attempts=attempts)


class Faults(unittest.TestCase):
    def test_what_may_happen(self):
        fates = {"a": fate("answered"), "b": fate("unknown"), "c": fate("unknown"), "d": fate("answered", 3)}
        tasks = {"t": ("completed", {}), "u": ("interrupted", {}), "v": ("unknown", {})}
        effects = {"a": 1, "b": 1, "d": 1, "t": 1}
        self.assertEqual(faults.wrong_with(fates, tasks, effects, 0), [])
        figures = faults.counted(fates, tasks, effects)
        self.assertEqual((figures["answered"], figures["unknown"], figures["repeated"], figures["twice"]), (2, 2, 2, 0))
        self.assertEqual([figures[f"tasks {end}"] for end in ("completed", "interrupted", "unknown")], [1, 1, 1])

    def test_what_may_not(self):
        none = ({}, {}, {}, 0)
        self.assertEqual(faults.wrong_with(*none), [])
        for said, fates, tasks, effects, deaf in (
                ("done 2 times", {"a": fate("unknown")}, {}, {"a": 2}, 0),
                ("neither answered nor refused", {"a": fate("hung")}, {}, {}, 0),
                ("answered and not done", {"a": fate("answered")}, {}, {}, 0),
                ("refused for good, and not done", {"a": fate("refused")}, {}, {}, 0),
                ("refused for good, and done", {"a": fate("refused")}, {}, {"a": 1}, 0),
                ("a task: lost", {}, {"t": ("lost", {})}, {}, 0),
                ("a task: working", {}, {"t": ("working", {})}, {}, 0),
                ("a task: hung", {}, {"t": ("hung", {})}, {}, 0),
                ("completed and was not done", {}, {"t": ("completed", {})}, {}, 0),
                ("3 streams did not hear", {}, {}, {}, 3)):
            found = faults.wrong_with(fates, tasks, effects, deaf)
            self.assertEqual(len(found), 1, said)
            self.assertIn(said, found[0])


class Rates(unittest.TestCase):
    SHIFTS = list(rate.SHIFTS)
    RIGHT = [i * 70_000 for i in range(100)] + [60_000_000 + i * 70_000 for i in range(100)]

    def judged(self, moments, **other):
        given = {"taken": moments, "refused": {"rate_limited": 1000 - len(moments)}, "shifts": self.SHIFTS, **other}
        return rate.judge(given["taken"], moments, given["refused"], given["shifts"], 1000, 70)

    def test_a_hundred_and_a_hundred_more(self):
        self.assertEqual(self.judged(self.RIGHT), [])

    def test_what_may_not_happen(self):
        right = self.RIGHT
        self.assertIn("101 calls were counted", self.judged([*right[:100], right[100] - 1, *right[101:]])[0])
        self.assertIn("only 100 calls", self.judged(right[:100])[0])
        self.assertIn("and 200 counted", self.judged(right, taken=right[1:], refused={"rate_limited": 801})[0])
        self.assertIn("clocks of replicas", self.judged(right, shifts=[0, 0, 0])[0])
        self.assertIn("calls failed", self.judged(right, refused={"rate_limited": 799, "unavailable": 1})[0])
        self.assertIn("no answer", self.judged(right, refused={"rate_limited": 799})[0])


if __name__ == "__main__":
    unittest.main()
