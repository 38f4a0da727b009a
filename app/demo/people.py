"""Who can sign in to the demo? The passwords are no secret: the demo prints them, and listens on this machine."""

from dataclasses import dataclass
from typing import Literal

from app.demo.mails import SERVICE

CAMILLE = "Camille"
CAMILLE_MAIL = SERVICE.addr_spec


@dataclass(frozen=True)
class DemoPerson:
    """Somebody to sign in as."""

    name: str
    email: str
    password: str
    role: Literal["admin", "manager", "member"]


NADIA = DemoPerson("Nadia", "nadia@maison-colibri.example", "colibri-nadia-1", "manager")
OMAR = DemoPerson("Omar", "omar@maison-colibri.example", "colibri-omar-1", "admin")
LEA = DemoPerson("Léa", "lea@maison-colibri.example", "colibri-lea-1", "member")
PEOPLE = (NADIA, OMAR, LEA)
