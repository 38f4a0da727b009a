"""Which tools are there? One list that one reads."""

from app.tools.mail.tools import read_mail, save_draft, send_reply
from app.tools.manager.tools import tell_manager
from app.tools.mcp import foreign
from app.tools.shop.products import delete_product, read_product, update_price, update_product
from app.tools.shop.tools import lookup_order, refund_order, search_catalogue
from app.tools.tool import InWords, Tool

MAIL = (read_mail, save_draft, send_reply)
SHOP = (lookup_order, search_catalogue, refund_order, read_product, update_product, update_price, delete_product)
ALL = (*MAIL, *SHOP, tell_manager)
TOOLS: dict[str, Tool] = {tool.name: tool for tool in ALL}
BUILT_IN = frozenset({tell_manager.name})  # every employee has it


def words_for(name: str) -> InWords | None:
    """How a call of this tool is told to people, ours or another service's; None: there is none."""
    return TOOLS[name].in_words if name in TOOLS else foreign.words_for(name)
