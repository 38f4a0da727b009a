"""Which tables are there? Each room's models, named once, for migrations and for whoever needs all of them."""

from app.approvals import models as approvals
from app.audit import models as audit
from app.budget import models as budget
from app.ceilings import models as ceilings
from app.connections import models as connections
from app.content import models as content
from app.conversations import models as conversations
from app.database.base import Base
from app.employees import models as employees
from app.identity import models as identity
from app.notifications import models as notifications
from app.operations import Operation
from app.runs import models as runs
from app.tool_servers import models as tool_servers

ROOMS = (
    identity,
    employees,
    conversations,
    content,
    runs,
    approvals,
    ceilings,
    budget,
    audit,
    notifications,
    connections,
    tool_servers,
    Operation,
)
METADATA = Base.metadata
