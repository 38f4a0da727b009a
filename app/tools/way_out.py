"""Where may requests go? Out through the guard, and to the hosts and programs that the operator named."""

from app.settings import Settings
from app.tools.going_out import Guard
from app.tools.http import Http
from app.tools.mcp.programs import programs_of


def way_out(settings: Settings) -> Http:
    """`ctx.http`. Raises BadConfiguration for a host that is none, or a program that cannot be one."""
    named = [host.strip() for host in settings.placet_allowed_hosts.split(",") if host.strip()]
    shop = settings.placet_shop_url.split("://", 1)[-1].split("/", 1)[0]
    guard = Guard([*named, shop] if shop else named)
    return Http(guard, programs=programs_of(settings.placet_local_services))
