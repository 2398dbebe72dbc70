"""Turns titles into the last part of an address: ``uvicorn service:app``."""

import re

from fastapi import Depends, FastAPI

from licensing import Feature, lifespan  # licet

app = FastAPI(lifespan=lifespan)  # licet


@app.get("/slugs/{title}")
async def slug(title: str) -> str:
    return "-".join(re.findall(r"\w+", title.casefold()))


@app.post("/slugs", dependencies=[Depends(Feature("bulk"))])  # licet
async def slugs(titles: list[str]) -> list[str]:
    return [await slug(title) for title in titles]
