"""Demos that start at the same moment on one machine never reach for the same port."""

import dataclasses

from app.demo.ports import HERE, choose_ports

USUAL = {2525, 8025, 1025, 8090, 8091}


def test_each_part_has_a_port_of_its_own() -> None:
    found = dataclasses.astuple(choose_ports(HERE, 0))
    assert len(set(found)) == len(found) == 6


def test_only_the_demo_at_the_usual_port_takes_the_usual_ports_of_the_rest() -> None:
    for _ in range(20):
        assert not USUAL & set(dataclasses.astuple(choose_ports(HERE, 0)))
