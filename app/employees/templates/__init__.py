"""Which employees can be hired? One list that one reads."""

from app.employees.templates.catalogue import CATALOGUE
from app.employees.templates.customer_service import CUSTOMER_SERVICE
from app.employees.templates.template import AgentTemplate

ALL = (CUSTOMER_SERVICE, CATALOGUE)
TEMPLATES: dict[str, AgentTemplate] = {template.id: template for template in ALL}
