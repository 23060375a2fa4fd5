"""The names of the statements that one connection has prepared: the most recently used ones."""

from collections import OrderedDict

MAX_PREPARED = 512

Key = tuple[str, str]


class PreparedNames:
    """Names by (key, text) of a statement. `stale` ones are to be closed with the next batch."""

    def __init__(self) -> None:
        self._names: OrderedDict[Key, bytes] = OrderedDict()
        self._serial = 0
        self.stale: list[bytes] = []

    def find(self, key: Key) -> bytes | None:
        """Return the name of a statement that is prepared."""
        name = self._names.get(key)
        if name is not None:
            self._names.move_to_end(key)
        return name

    def add(self, key: Key) -> bytes:
        """Return a new name for a statement that is about to be prepared."""
        self._serial += 1
        name = b"p%d" % self._serial
        self._names[key] = name
        if len(self._names) > MAX_PREPARED:
            self.stale.append(self._names.popitem(last=False)[1])
        return name

    def forget(self, name: bytes) -> None:
        """Drop a name that could not be prepared."""
        for key, known in list(self._names.items()):
            if known == name:
                del self._names[key]

    def forget_all(self) -> None:
        """Drop every name; they are closed with the next batch."""
        self.stale.extend(self._names.values())
        self._names.clear()
