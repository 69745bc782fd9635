"""Which items of several runs are the same: by their hashes where they have any, whatever they are called.

A harness numbers documents as they come, so that one that was shuffled, or drawn otherwise, is called otherwise. The same name
for other contents is a mistake unless the contents stand elsewhere in the other run: then the data are of another revision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

Key = tuple[int | str, str]
"""A topic and the name of an item in it."""
UNHASHED = -1


@dataclass(frozen=True)
class Sightings:
    """What groups (runs, or parts of data) call items: in the place of each sighting its group, key and hash. Those of one group
    stand together."""

    groups: Sequence[int]
    keys: Sequence[Key]
    hashes: Sequence[int]

    def clashes(self) -> Iterator[tuple[int, int]]:
        """Sightings that have a name in common and nothing else, in pairs: the hash of each is unknown to the group of the
        other."""
        known = {(group, key[0], found) for group, key, found in zip(self.groups, self.keys, self.hashes, strict=True)}
        by_key = defaultdict(list)
        for place, key in enumerate(self.keys):
            if self.hashes[place] != UNHASHED:
                by_key[key].append(place)
        for (topic, _), places in by_key.items():
            if len({self.hashes[place] for place in places}) == 1:
                continue
            for first, second in combinations(places, 2):
                mine, other = self.groups[first], self.groups[second]
                elsewhere = (other, topic, self.hashes[first]) in known or (mine, topic, self.hashes[second]) in known
                if self.hashes[first] != self.hashes[second] and (mine == other or not elsewhere):
                    yield first, second

    def agreed(self) -> list[Key]:
        """What each item is called from now on: as in the first group that has its hash. Items of one hash, which a group may
        have several of, go by their names where these are the same, and otherwise in their order."""
        named: dict[tuple[int | str, int], list[str]] = defaultdict(list)
        taken: dict[Key, int] = {}
        agreed = list(self.keys)
        for places in self._of_each_hash():
            topic, found = self.keys[places[0]][0], self.hashes[places[0]]
            before = named[topic, found]
            own = {self.keys[place][1] for place in places}
            free = [name for name in before if name not in own]
            for place in places:
                name = self.keys[place][1]
                if name not in before:
                    name = free.pop(0) if free else self._unlike_others(taken, topic, name, found)
                taken[topic, name] = found
                agreed[place] = (topic, name)
                if name not in before:
                    before.append(name)
        return agreed

    def _of_each_hash(self) -> Iterator[list[int]]:
        """The sightings of each group, topic and hash, in their order; those without a hash stay as they are."""
        together: dict[tuple[int, int | str, int], list[int]] = defaultdict(list)
        for place, (group, (topic, _), found) in enumerate(zip(self.groups, self.keys, self.hashes, strict=True)):
            if found != UNHASHED:
                together[group, topic, found].append(place)
        yield from together.values()

    @staticmethod
    def _unlike_others(taken: dict[Key, int], topic: int | str, name: str, found: int) -> str:
        return name if taken.get((topic, name), found) == found else f"{name} (hash {found:x})"
