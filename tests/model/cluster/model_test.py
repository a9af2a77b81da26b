#!/usr/bin/env python3
"""The model is as far from what was measured as README.md says, and a wrong one would be seen."""

import json
import unittest

import model

POINTS = json.loads(model.MEASURED.read_text())["points"] if model.MEASURED.exists() else []
TYPICAL, WORST = 0.15, 0.35  # by how much calls in a second differ: of half of the points, and of each


def errors(needs):
    return sorted(abs(rate / one["rate"] - 1) for one, rate in model.compared(POINTS, needs))


class Analysis(unittest.TestCase):
    def test_one_host_waits_for_nobody(self):
        stations = [model.Station("a", {"x": model.Need(0.002)}), model.Station("b", {"y": model.Need(0.003)}, 2)]
        self.assertAlmostEqual(model.solve(stations, 1).response, 0.005)
        self.assertAlmostEqual(model.solve(stations, 1, 0.005).rate, 100)

    def test_many_hosts_have_what_the_slowest_station_can_do(self):
        stations = [model.Station("a", {"x": model.Need(0.002)}), model.Station("b", {"y": model.Need(0.003)}, 1, 3)]
        self.assertAlmostEqual(model.solve(stations, 500).rate, 500, delta=0.5)
        self.assertEqual(model.bottleneck(stations).name, "a")

    def test_two_stations_alike(self):
        """As it is known of a balanced network: N / (D (N + K - 1))."""
        stations = [model.Station(name, {name: model.Need(0.01)}) for name in "ab"]
        for hosts in (1, 2, 7):
            self.assertAlmostEqual(model.solve(stations, hosts).rate, hosts / (0.01 * (hosts + 1)))
        copies = [model.Station("a", {"a": model.Need(0.02)}, 1, 2)]
        self.assertAlmostEqual(model.solve(copies, 7).rate, model.solve(stations, 7).rate)

    def test_who_has_a_queue_wakes_less(self):
        one = model.need(idle=100, busy=50, queue=9)
        self.assertAlmostEqual(one.at(0) * 1e6, 100)
        self.assertAlmostEqual(one.at(9) * 1e6, 50)
        self.assertGreater(one.steady, 0)


@unittest.skipUnless(POINTS, "SKIPPED: nothing is measured yet (README.md)")
class Measured(unittest.TestCase):
    def test_is_as_near_as_is_said(self):
        found = errors(model.needs_of(POINTS))
        self.assertGreaterEqual(len(found), 20)
        self.assertLess(found[len(found) // 2], TYPICAL)
        self.assertLess(found[-1], WORST)

    def test_a_wrong_need_would_be_seen(self):
        for kind in ("replica", "worker"):
            for member in ("replica", "nginx"):
                needs = model.needs_of(POINTS)
                needs[kind][member].steady *= 3
                self.assertGreater(errors(needs)[-1], WORST, f"{member} of {kind}")

    def test_without_wake_ups_it_would_be_wrong(self):
        needs = model.needs_of(POINTS)
        for members in needs.values():
            for one in members.values():
                one.waking = 0
        self.assertGreater(errors(needs)[-1], WORST)

    def test_the_first_bottleneck_is_the_one_that_is_named(self):
        needs = model.needs_of(POINTS)
        for kind, name in (("replica", "nginx"), ("worker", "nginx")):
            self.assertEqual(model.bottleneck(model.Size().stations(needs[kind])).name, name)


if __name__ == "__main__":
    unittest.main()
