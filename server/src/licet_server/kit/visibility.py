"""Which institutions, products and releases are visible to a caller."""

from dataclasses import dataclass, replace
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Visibility:
    """Fully visible institutions, and single visible products and releases of others.

    `narrowed` lists the institutions of those products and releases. `hidden` are products that are
    not visible all the same, and neither is then what belongs to no product.
    """

    institutions: tuple[UUID, ...] = ()
    narrowed: tuple[UUID, ...] = ()
    products: tuple[UUID, ...] = ()
    releases: tuple[UUID, ...] = ()
    hidden: tuple[UUID, ...] = ()

    @property
    def of_something(self) -> bool:
        """Whether anything is visible."""
        return bool(self.institutions or self.narrowed)

    def within(self, *institution_ids: UUID) -> "Visibility":
        """Restrict the visibility to these institutions."""
        wanted = frozenset(institution_ids)
        return replace(
            self,
            institutions=tuple(item for item in self.institutions if item in wanted),
            narrowed=tuple(item for item in self.narrowed if item in wanted),
        )

    def of_product(self, product_id: UUID) -> "Visibility":
        """Restrict the visibility to one product; empty unless the whole product is visible."""
        assigned = self.narrowed if product_id in self.products else ()
        return Visibility(narrowed=self.institutions + assigned, products=(product_id,))

    def without(self, products: tuple[UUID, ...]) -> "Visibility":
        """Hide these products."""
        return replace(self, hidden=products)

    def of_whole_products(self) -> "Visibility":
        """Return the visibility without single releases."""
        return replace(self, releases=())
