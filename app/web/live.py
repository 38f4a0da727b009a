"""How do open pages hear of a change? Server-sent events, fed by PostgreSQL's NOTIFY, with a slow look behind it.

One listener per process hears which company changed. Then one short transaction finds out what, by comparing with what
was there before, and everybody of that company who has a page open is told the topics that are theirs. A notification
that was lost is found by the slow look; a person who was removed or signed out is cut off by it (RELIABILITY A7, B17).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from app.database.transaction import Database
from app.errors import PlacetError
from app.identity.roles import Member
from app.identity.sessions import still_open
from app.runs.changes import Seen, look_at

log = logging.getLogger(__name__)
CHANNEL = "placet_pages"
SETTLE = 0.25  # seconds in which changes are gathered: a task writes several rows at once
SLOW_LOOK = 4.0  # seconds between looks without a notification; a removed person's stream ends within 5
BEAT = 15.0  # seconds between comment lines, so that proxies keep a quiet stream open
MOST_OF_ONE_PERSON, MOST_OF_ONE_COMPANY, MOST_AT_ALL = 8, 500, 4000
WAITING = 32  # events that a slow reader may be behind; then it is cut off and comes again by itself


Heard = Callable[[str | None], None]
Listen = Callable[[Heard], Coroutine[None, None, None]]  # until cancelled


class TooManyStreams(PlacetError):
    """Too many pages are open at once. Close some of them."""

    status = 429


@dataclass(eq=False)
class Stream:
    """One page that is open somewhere. None in its queue ends it."""

    member: Member
    session_id: UUID
    queue: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(WAITING))

    def tell(self, event: str) -> bool:
        """Put an event into its queue; False for a reader who does not keep up."""
        try:
            self.queue.put_nowait(event)
        except asyncio.QueueFull:
            return False
        return True

    def end(self) -> None:
        """Let the reader find the end at once, whatever it had still to read."""
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class Live:
    """All streams of one web process."""

    def __init__(self, database: Database, listen: Listen) -> None:
        self._database = database
        self._listen = listen
        self._streams: dict[UUID, set[Stream]] = {}
        self._seen: dict[UUID, Seen] = {}
        self._changed: set[UUID] = set()
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen and to look."""
        self._tasks = [asyncio.create_task(self._listen(self._hear)), asyncio.create_task(self._look())]

    def cut_all(self) -> None:
        """End every stream: the process is about to stop, and a stream would hold it up. Browsers come again."""
        for stream in [stream for company in self._streams.values() for stream in company]:
            self._cut(stream)

    async def stop(self) -> None:
        """End every stream and both tasks."""
        self.cut_all()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def open(self, member: Member, session_id: UUID) -> Stream:
        """A new stream. Raises TooManyStreams."""
        company = self._streams.get(member.tenant_id, set())
        own = sum(1 for stream in company if stream.member.user_id == member.user_id)
        full = len(company) >= MOST_OF_ONE_COMPANY or sum(map(len, self._streams.values())) >= MOST_AT_ALL
        if own >= MOST_OF_ONE_PERSON or full:
            raise TooManyStreams
        stream = Stream(member, session_id)
        if member.tenant_id not in self._streams:
            self._changed.add(member.tenant_id)  # a first picture, with which later ones are compared
            self._wake.set()
        self._streams.setdefault(member.tenant_id, set()).add(stream)
        return stream

    def close(self, stream: Stream) -> None:
        """It is gone."""
        company = self._streams.get(stream.member.tenant_id, set())
        company.discard(stream)
        if not company:
            self._streams.pop(stream.member.tenant_id, None)
            self._seen.pop(stream.member.tenant_id, None)

    async def events(self, stream: Stream) -> AsyncIterator[str]:
        """What the browser reads, until the stream ends."""
        try:
            yield "retry: 3000\n: here\n\n"
            while True:
                try:
                    event = await asyncio.wait_for(stream.queue.get(), BEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event is None:
                    return
                yield event
        finally:
            self.close(stream)

    def _cut(self, stream: Stream) -> None:
        stream.end()
        self.close(stream)

    def _hear(self, payload: str | None) -> None:
        """A company changed; after a lost connection any of them may have."""
        if changed := set(self._streams) if payload is None else {UUID(payload)} & set(self._streams):
            self._changed |= changed
            self._wake.set()

    async def _look(self) -> None:
        """Find out what changed where somebody is looking."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), SLOW_LOOK)
                await asyncio.sleep(SETTLE)
            told, slow = self._changed, not self._wake.is_set()
            self._changed, wanted = set(), set(self._streams) if slow else told
            self._wake.clear()
            for tenant_id in wanted:
                try:
                    await self._look_at(tenant_id)
                except (SQLAlchemyError, OSError) as error:  # the next look finds it
                    log.warning("live_look_failed", extra={"error": type(error).__name__})

    async def _look_at(self, tenant_id: UUID) -> None:
        streams = self._streams.get(tenant_id, set())
        async with self._database.tenant(tenant_id) as session:
            now = await look_at(session)
            valid = await still_open(session, {stream.session_id for stream in streams})
        before = self._seen.get(tenant_id)
        self._seen[tenant_id] = now
        for stream in list(streams):
            topics = topics_for(stream.member, before, now) if before is not None else set()
            event = f"event: change\ndata: {' '.join(sorted(topics))}\n\n"
            as_before = valid.get(stream.session_id) is stream.member.role
            if not as_before or (topics and not stream.tell(event)):
                self._cut(stream)


def topics_for(member: Member, before: Seen, now: Seen) -> set[str]:
    """What changed between two looks, among what this person may read."""
    topics: set[str] = set()
    for key in set(before.rows) | set(now.rows):
        if before.rows.get(key) != now.rows.get(key):
            row = now.rows.get(key) or before.rows[key]
            if member.reads(row.agent_id, row.started_by):
                topics |= {"inbox", *row.topics}
    topics |= {f"employee:{agent_id}" for agent_id in _changed(before.employees, now.employees)}
    return topics


def _changed(before: Mapping[UUID, str], now: Mapping[UUID, str]) -> set[UUID]:
    return {key for key in set(before) | set(now) if before.get(key) != now.get(key)}
