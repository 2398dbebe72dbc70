"""What a caller sees of the tenants' things."""

from dataclasses import dataclass, replace
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Visibility:
    """Institutions that are seen whole, and single products and releases of others.

    `narrowed` are the institutions of those products and releases.
    """

    institutions: tuple[UUID, ...] = ()
    narrowed: tuple[UUID, ...] = ()
    products: tuple[UUID, ...] = ()
    releases: tuple[UUID, ...] = ()

    @property
    def of_something(self) -> bool:
        """Whether it reaches into any institution."""
        return bool(self.institutions or self.narrowed)

    def within(self, *institution_ids: UUID) -> "Visibility":
        """What of this is in these institutions; nothing where they are not seen."""
        wanted = frozenset(institution_ids)
        return replace(
            self,
            institutions=tuple(item for item in self.institutions if item in wanted),
            narrowed=tuple(item for item in self.narrowed if item in wanted),
        )

    def of_product(self, product_id: UUID) -> "Visibility":
        """What of this is under one product that is seen whole; nothing where it is not."""
        assigned = self.narrowed if product_id in self.products else ()
        return Visibility(narrowed=self.institutions + assigned, products=(product_id,))

    def of_whole_products(self) -> "Visibility":
        """The same without what is seen of single releases."""
        return replace(self, releases=())
