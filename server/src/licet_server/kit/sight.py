"""What a caller sees of the tenants' things."""

from dataclasses import dataclass, replace
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Sight:
    """Institutions that are seen whole, and single products and releases of others.

    `narrowed` are the institutions of those products and releases.
    """

    institutions: tuple[UUID, ...] = ()
    narrowed: tuple[UUID, ...] = ()
    products: tuple[UUID, ...] = ()
    releases: tuple[UUID, ...] = ()

    def within(self, institution_id: UUID) -> "Sight":
        """What of this is in one institution; nothing where that is not seen."""
        return replace(
            self,
            institutions=tuple(item for item in self.institutions if item == institution_id),
            narrowed=tuple(item for item in self.narrowed if item == institution_id),
        )

    def of_product(self, product_id: UUID) -> "Sight":
        """What of this is under one product that is seen whole; nothing where it is not."""
        assigned = self.narrowed if product_id in self.products else ()
        return Sight(narrowed=self.institutions + assigned, products=(product_id,))

    def of_whole_products(self) -> "Sight":
        """The same without what is seen of single releases."""
        return replace(self, releases=())
