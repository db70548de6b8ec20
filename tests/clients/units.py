"""Tests of parts of the library in Python, and of the generator of the operations. units.mjs has those of the library in TypeScript."""

import importlib.util
import json
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

from mawe import AsyncClient, Client
from mawe._backoff import Backoff
from mawe._core import Line


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", Path(__file__).parents[2] / "clients/generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Units(unittest.TestCase):
    def test_a_pause_is_short_again_only_after_a_good_connection(self) -> None:
        backoff, now = Backoff(), 100.0
        for attempt in range(6):
            backoff.opened(now)
            now += 4.9
            least = 0.25 * 2**attempt
            self.assertTrue(least <= backoff.pause(now) <= 2 * least)
        backoff.opened(now)
        self.assertLessEqual(backoff.pause(now + 5), 0.5)
        backoff.opened(now)
        self.assertGreaterEqual(backoff.pause(now, asked=30), 30)
        # An attempt without a connection does not count the time since the last one.
        self.assertGreaterEqual(backoff.pause(now + 1000), 1)

    def test_a_subscription_ends_with_its_opposite_for_the_same_pool(self) -> None:
        line = Line()

        def standing() -> list[Any]:
            return [json.loads(subscription.frame) for subscription in line.standing.values()]

        casual: Any = {"t": "join-pool", "game": "mawe", "pool": "5+0"}
        rated: Any = {**casual, "rated": True}
        line.send(casual)
        line.send(rated)
        line.received(0, json.dumps({**rated, "t": "pool-left"}))
        self.assertEqual(standing(), [casual])
        leaving: Any = {**casual, "t": "leave-pool", "rated": False}
        line.send(leaving)
        self.assertEqual(standing(), [])

    def test_a_command_that_is_no_json_waits_for_no_answer(self) -> None:
        line = Line()
        for value in (object(), float("inf")):
            with self.assertRaises((TypeError, ValueError)):
                line.command("Kx7Rm2Qp9TzA", {"kind": value})
        self.assertEqual((line.pending, line.follows), ({}, {}))

    def test_clients_have_no_operation_of_operators_and_no_document_for_frames(self) -> None:
        for client in (Client, AsyncClient):
            self.assertEqual([name for name in dir(client) if "operator" in name or "embed_" in name], [])

    def test_an_answer_is_read_as_its_type(self) -> None:
        def made(*types: str) -> str:
            content = {mime: {"schema": {"type": "string"}} for mime in types}
            return str(generator().operation_method("/x", "get", {"operationId": "get_x", "responses": {"200": {"content": content}}}, "{}"))

        self.assertIn('self._call("GET", "/x", "text")', made("text/html"))
        self.assertIn('self._call("GET", "/x", "text")', made("application/json", "text/plain"))
        self.assertIn('self._call("GET", "/x", "json")', made("application/json"))
        self.assertIn('self._call("GET", "/x", "lines")', made("application/x-ndjson"))


unittest.main()
