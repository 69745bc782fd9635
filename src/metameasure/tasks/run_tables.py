"""What each run's scores are made of: what all tasks' tables can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.show.table import Signed

if TYPE_CHECKING:
    from metameasure.tasks.classification.tables import LabelTables
    from metameasure.tasks.quantification.tables import DistributionTables


class Drawer(Protocol):
    """Who draws tables on a page: some kinds in their own way, the others as they are printed."""

    def confusions(self, tables: LabelTables) -> Any: ...

    def distributions(self, tables: DistributionTables) -> Any: ...

    def plain(self, tables: RunTables) -> Any: ...

    def nothing(self) -> Any: ...


class RunTables(Signed):
    """Tables of each run, all topics as one."""

    if TYPE_CHECKING:

        @property
        def runs(self) -> tuple[str, ...]:
            """The runs that there are tables of."""

    def by_each_class(self) -> Self:
        """With CEM of each class."""
        raise UsageError(say("{--by-class} is for labels"), hint=say("leave out {--by-class}"))

    def drawn(self, by: Drawer) -> Any:
        """As a page shows them."""
        return by.plain(self)
