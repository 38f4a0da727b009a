"""What does a worker give its runs? The database, the model, and the ways out; made once per process."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.budget.prices import Price
from app.database.transaction import Database
from app.model.client import ModelClient
from app.settings import Settings
from app.tools.context import Outgoing, PostOffice


@dataclass(frozen=True)
class House:
    """Everything that outlives a run."""

    settings: Settings
    database: Database
    model: ModelClient
    price: Price
    http: Outgoing
    mail: PostOffice
    secrets: Mapping[str, str]
