"""Where may requests go? Out through the guard, and to the private hosts that the operator named."""

from app.settings import Settings
from app.tools.going_out import Guard
from app.tools.http import Http


def way_out(settings: Settings) -> Http:
    """`ctx.http`. Raises BadConfiguration for a host that is none."""
    named = [host.strip() for host in settings.placet_allowed_hosts.split(",") if host.strip()]
    shop = settings.placet_shop_url.split("://", 1)[-1].split("/", 1)[0]
    return Http(Guard([*named, shop] if shop else named))
