"""Customers."""

from sqlalchemy import Column, Computed, ForeignKey, Index, PrimaryKeyConstraint, Table, func

from licet_server.kit.database import (
    Id,
    Instant,
    String,
    metadata,
    personal,
)
from licet_server.kit.stored_json import JsonOf
from licet_server.kit.tag_search import TagList, tag_indexes
from licet_server.kit.text import ERASED, ERASED_ADDRESS
from licet_server.kit.word_search import SearchWords, Words

WORDS = Words(
    "(((((name || ' ') || email) || ' ') || COALESCE(company, '')) || ' ')"
    " || COALESCE(external_reference, '')",
    "search_words",
)

customers = Table(
    "customers",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("id", Id, nullable=False),
    Column("name", String, nullable=False, info=personal(ERASED)),
    Column("email", String, nullable=False, info=personal(ERASED_ADDRESS)),
    Column("external_reference", String, info=personal()),
    Column("company", String, info=personal()),
    Column("locale", String, info=personal()),
    Column("notes", String, info=personal()),
    Column("metadata", JsonOf(dict[str, str]), key="labels", info=personal()),
    Column("tags", TagList, info=personal()),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("search_words", SearchWords, Computed(WORDS.sql, persisted=True)),
    PrimaryKeyConstraint("institution_id", "id"),
    Index("customers_name_idx", "institution_id", "name", "id"),
    Index("customers_reference_idx", "institution_id", "external_reference"),
    Index("customers_search_idx", "search_words", postgresql_using="gin"),
    WORDS.folded_index("customers_folded_idx"),
)
Index(
    "customers_email_key",
    customers.c.institution_id,
    func.lower(customers.c.email),
    unique=True,
)
tag_indexes("customers", customers.c.tags)
Index("customers_address_idx", func.lower(customers.c.email))
"""This index crosses institutions: an account is deleted only if no other one knows its address."""

former_addresses = Table(
    "former_addresses",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("email", String, nullable=False),
    Column("customer_id", Id),
    PrimaryKeyConstraint("institution_id", "email"),
    Index("former_addresses_email_idx", "email"),
)
"""The addresses, in lower case, of customers who were deleted or merged, or have another one now.

They show that a person came to an institution before, so that no other one deletes their account.
`customer_id` is who moved away from the address with their licenses: shops may still name it.
"""
