"""Request bodies: decoded strictly, with all bad fields reported at once.

A body is a struct that extends `Body` (a management route: unknown fields are refused, `null` means
absent), `Change` (a `PUT`: `null` clears, an absent field stays `UNSET`) or
`RuntimeBody` (a runtime route: unknown fields are ignored, `null` means absent). Fields are
camelCase on the wire.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from types import UnionType
from typing import Annotated, Any, ClassVar, NamedTuple, Union, get_args, get_origin

import msgspec
from litestar.dto import AbstractDTO
from litestar.openapi.spec import Reference, Schema
from litestar.typing import FieldDefinition
from msgspec import UNSET, Meta, Struct

from licet_server.kit.clock import Clock
from licet_server.kit.dates import BadDate, read_date
from licet_server.kit.errors import (
    MAX_FIELD_ERRORS,
    ErrorCode,
    FieldError,
    FieldErrors,
    Refused,
    bad_field,
)
from licet_server.kit.json_values import VALUES_MAX, composed_texts, has_too_many_values
from licet_server.kit.web.context import context_of
from licet_server.kit.web.validation_messages import field_error

_NUL_ESCAPE = b"\\u0000"
_NUL_REFUSED = "must not contain a NUL character."
_UNIONS = (Union, UnionType)
_CONTAINERS = (list, dict)
_ITEMS_MAX = 2_000
"""Of lists and objects without a bound of their own whose items are described one by one."""

_SHOWN = 100
"""So much of a name that the sender chose is repeated in the answer."""


def _exact(number: str) -> Decimal:
    """Parse a JSON number exactly; one that `Decimal` cannot hold becomes NaN."""
    try:
        return Decimal(number)
    except ArithmeticError:
        return Decimal("NaN")


ExactValue = Annotated[bool | int | float | str, Meta(extra={"numbers": "exact"})]
"""A flag, a number or a text; a number arrives as it was sent, as `int` or as `Decimal`."""

DayOrTime = Annotated[
    datetime,
    Meta(
        tz=True,
        extra={"dates": "read"},
        description="A time with its zone, or a day such as 2031-01-31, which lasts until its end "
        "in the time zone of the institution.",
    ),
]
"""A time with its zone, or a day, which arrives as a `date`."""

_fields_of = lru_cache(msgspec.structs.fields)
_decoder = msgspec.json.Decoder(float_hook=_exact)


class Body(Struct, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """The body of a management route that creates something or performs an action."""

    null_is_absent: ClassVar[bool] = True

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        """Yield violations of rules beyond types; here, fields of a wrong type are `None`."""
        return iter(())


class Change(Body):
    """The body of a `PUT`: absent fields are `UNSET` and stay unchanged."""

    null_is_absent: ClassVar[bool] = False


def given(body: Body) -> dict[str, Any]:
    """Return the fields present in the request by their Python names, including nested ones."""
    found: dict[str, Any] = {}
    for field in body.__struct_fields__:
        value = getattr(body, field)
        if value is not UNSET:
            found[field] = given(value) if isinstance(value, Body) else value
    return found


class RuntimeBody(Struct, rename="camel", kw_only=True):
    """The body of a runtime route; its sender may be newer than this server."""

    null_is_absent: ClassVar[bool] = True


class JsonBody(AbstractDTO[Any]):
    """Decodes the `data` argument of every handler with the rules of this module."""

    _annotations: ClassVar[dict[str, Any]] = {}

    @classmethod
    def create_for_field_definition(
        cls,
        field_definition: FieldDefinition,
        handler_id: str,
        backend_cls: Any = None,
    ) -> None:
        cls._annotations[handler_id] = field_definition.raw

    @classmethod
    def create_openapi_schema(
        cls, field_definition: FieldDefinition, handler_id: str, schema_creator: Any
    ) -> Reference | Schema:
        schema: Reference | Schema = schema_creator.for_field_definition(field_definition)
        return schema

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> Any:
        return iter(())

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        return False

    def decode_bytes(self, value: bytes) -> Any:
        """Decode the struct that the handler declares.

        Raises:
            Refused: `UnsupportedMediaType`, or `InvalidRequest` naming every bad field.
        """
        content_type = self.asgi_connection.headers.get("content-type", "")
        kind = self._annotations[self.asgi_connection.route_handler.handler_id]
        clock = context_of(self.asgi_connection).platform.clock
        return read_json_body(value, content_type, struct_of(kind), clock)


def read_json_body(raw: bytes, content_type: str, kind: type[Struct], clock: Clock) -> Struct:
    """Decode a body of this media type into `kind`.

    Raises:
        Refused: `UnsupportedMediaType`, or `InvalidRequest` naming every bad field.
    """
    if content_type != "application/json" and not _is_json(content_type):
        raise Refused(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "Send the body as JSON, with the header Content-Type: application/json.",
        )
    return read_body(raw, kind, clock)


def read_body(raw: bytes, kind: type[Struct], clock: Clock) -> Struct:
    """Decode `raw` into `kind`.

    Raises:
        Refused: `InvalidRequest`, naming every bad field.
    """
    if has_too_many_values(raw):
        raise bad_field("", f"The body must have at most {VALUES_MAX:,} values.")
    if issubclass(kind, RuntimeBody) and _NUL_ESCAPE not in raw:
        try:
            return msgspec.json.decode(raw, type=kind)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            pass  # the slow path below finds and describes every error
    try:
        value = _decoder.decode(composed_texts(raw) if issubclass(kind, Body) else raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise bad_field("", _fault_of(raw)) from None
    if not isinstance(value, dict):
        raise bad_field("", "The body must be a JSON object.")
    errors = FieldErrors()
    if _NUL_ESCAPE in raw:
        found = islice(_nul_paths(value, ""), MAX_FIELD_ERRORS)
        errors.add(FieldError(path, _NUL_REFUSED) for path in found)
    body = _build(value, kind, "", errors)
    if isinstance(body, Body):
        errors.add(body.breaches(clock()))
    if errors:
        raise errors.refused()
    return body


def _fault_of(raw: bytes) -> str:
    """Return what keeps a body from being JSON, as far as it shows."""
    if raw.startswith(b"\x1f\x8b"):
        return "The body is compressed. Send it without Content-Encoding."
    if raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return "The body begins with a byte order mark. Send UTF-8 without one."
    return "The body is not valid JSON."


def _is_json(content_type: str) -> bool:
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type == "application/json" or media_type.endswith("+json")


def struct_of(annotation: Any) -> type[Struct]:
    """Return the struct inside `X`, `X | None` or `Annotated[X, ...]`."""
    if isinstance(annotation, type):
        return annotation
    return next(struct_of(arg) for arg in get_args(annotation) if _holds_struct(arg))


def _holds_struct(annotation: Any) -> bool:
    """Check whether the annotation is a struct, optional or not; a list of structs is none."""
    if isinstance(annotation, type):
        return issubclass(annotation, Struct)
    if get_origin(annotation) in _CONTAINERS:
        return False
    return any(_holds_struct(arg) for arg in get_args(annotation))


def _is_exact(annotation: Any) -> bool:
    """Return whether the annotation is `ExactValue`, also optional."""
    if get_origin(annotation) is Annotated:
        return bool(annotation == ExactValue)
    return get_origin(annotation) in _UNIONS and any(map(_is_exact, get_args(annotation)))


def _is_day_or_time(annotation: Any) -> bool:
    """Return whether the annotation is `DayOrTime`, also optional."""
    if get_origin(annotation) is Annotated:
        return bool(annotation == DayOrTime)
    return get_origin(annotation) in _UNIONS and any(map(_is_day_or_time, get_args(annotation)))


def _is_amount(annotation: Any) -> bool:
    return annotation is Decimal or Decimal in get_args(annotation)


def _build(
    value: Mapping[str, Any], kind: type[Struct], prefix: str, errors: FieldErrors
) -> Struct:
    """Build the struct, with `None` for what is wrong, and add that to `errors`."""
    fields = _fields_of(kind)
    null_is_absent = getattr(kind, "null_is_absent", False)
    arguments: dict[str, Any] = {}
    for field in fields:
        path = f"{prefix}{field.encode_name}"
        given = value.get(field.encode_name, UNSET)
        if given is None and null_is_absent:
            given = UNSET
        if given is UNSET:
            if field.required:
                arguments[field.name] = None
                errors.add([FieldError(path, "is required.")])
            continue
        arguments[field.name] = _convert(given, field.type, path, errors)
    if kind.__struct_config__.forbid_unknown_fields:
        known = {field.encode_name for field in fields}
        unknown = [name for name in value if name not in known]
        names = [f"{prefix}{name[:_SHOWN]}" for name in unknown[: MAX_FIELD_ERRORS + 1]]
        errors.add_each(names + unknown[len(names) :], "is not a field of this request.")
    return kind(**arguments)


def _convert(given: Any, annotation: Any, path: str, errors: FieldErrors) -> Any:
    if isinstance(given, dict) and _holds_struct(annotation):
        return _build(given, struct_of(annotation), f"{path}.", errors)
    if isinstance(given, str) and _is_amount(annotation):  # msgspec would accept "5" as a number
        errors.add([FieldError(path, "must be a number, not text.")])
        return None
    if isinstance(given, Decimal) and _is_exact(annotation):
        return given  # as exact as it was sent; msgspec would make a float of it
    if given and isinstance(given, list | dict) and (inner := _items_of(annotation, type(given))):
        return _convert_items(given, inner, path, errors)
    try:
        return _convert_value(given, annotation)
    except BadDate as fault:
        errors.add([FieldError(path, f"{fault}.")])
    except (msgspec.ValidationError, RecursionError) as error:
        errors.add([field_error(path, str(error), annotation)])
    return None


def _convert_value(given: Any, annotation: Any) -> Any:
    if given is not None and _is_day_or_time(annotation):
        return read_date(given if isinstance(given, str) else None)
    return msgspec.convert(given, annotation, strict=True)


def _is_body(kind: Any) -> bool:
    """Return whether the annotation is a body, also optional."""
    if get_origin(kind) in _UNIONS:
        return any(map(_is_body, get_args(kind)))
    return isinstance(kind, type) and issubclass(kind, (Body, RuntimeBody))


class _Items(NamedTuple):
    """What a list or an object contains, and how many at most."""

    kind: Any
    most: int


def _items_of(annotation: Any, container: type) -> _Items | None:
    """Return the items of a list or dict whose errors are found one by one."""
    most = _ITEMS_MAX
    if get_origin(annotation) is Annotated:
        annotation, *limits = get_args(annotation)
        given = [item.max_length for item in limits if isinstance(item, Meta) and item.max_length]
        most = given[0] if given else most
    if get_origin(annotation) is container:
        kind = get_args(annotation)[-1]
        return _Items(kind, most) if _is_body(kind) or _is_exact(kind) else None
    options = get_args(annotation) if get_origin(annotation) in _UNIONS else ()
    return next((found for item in options if (found := _items_of(item, container))), None)


def _convert_items(
    given: list[Any] | dict[str, Any], items: _Items, path: str, errors: FieldErrors
) -> Any:
    if len(given) > items.most:
        noun = "items" if isinstance(given, list) else "entries"
        errors.add([FieldError(path, f"must have at most {items.most:,} {noun}.")])
        return None
    if isinstance(given, dict):
        return {
            name: _convert(item, items.kind, f"{path}.{name[:_SHOWN]}", errors)
            for name, item in given.items()
        }
    return [_convert(item, items.kind, f"{path}[{at}]", errors) for at, item in enumerate(given)]


def _nul_paths(value: Any, path: str) -> Iterator[str]:
    path = path[:_SHOWN]
    if isinstance(value, str):
        if "\0" in value:
            yield path
    elif isinstance(value, dict):
        for name, inner in value.items():
            if "\0" in name:
                yield path or name.replace("\0", "")[:_SHOWN]
            shown = name[:_SHOWN]
            yield from _nul_paths(inner, f"{path}.{shown}" if path else shown)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _nul_paths(inner, f"{path}[{position}]")
