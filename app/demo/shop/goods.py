"""What does Maison Colibri sell, and what has been ordered there when the demo starts?

Days are counted back from the day of the first start, so that an order "in transit" never looks a year old.
"""

from dataclasses import dataclass
from datetime import date, timedelta

SHIPPING = "Shipping"


@dataclass(frozen=True)
class Product:
    """One article of the catalogue; the price in cents of a euro."""

    sku: str
    name: str
    description: str
    cents: int
    stock: int


@dataclass(frozen=True)
class Item:
    """One line of an order, at the price of that day."""

    name: str
    quantity: int
    cents: int


@dataclass(frozen=True)
class Order:
    """One order; `paid` is the sum of its lines."""

    number: str
    customer: str
    email: str
    status: str
    days_ago: int
    items: tuple[Item, ...]
    tracking: str = ""
    note: str = ""
    refunded: tuple[tuple[int, str], ...] = ()


PRODUCTS = (
    Product("CUP-BLUE", "Tea cup, blue", "Hand-thrown stoneware, 250 ml, dishwasher-safe.", 2450, 14),
    Product("CUP-SAND", "Tea cup, sand", "Hand-thrown stoneware, 250 ml, dishwasher-safe.", 2450, 3),
    Product("POT-IRON", "Teapot, cast iron", "0.8 litres, enamelled inside, with a strainer.", 6900, 6),
    Product("POT-GLASS", "Teapot, glass", "1 litre, heat-resistant, with a glass strainer.", 3900, 11),
    Product("TEA-EARL", "Earl Grey, loose leaf", "Black tea with bergamot from Calabria, 100 g.", 1250, 48),
    Product("TEA-SENCHA", "Sencha, loose leaf", "Green tea from Shizuoka, 100 g.", 1490, 22),
    Product("TEA-VERBENA", "Verbena from the Drôme", "Herbal tea without caffeine, whole leaves, 40 g.", 890, 31),
    Product("TEA-ROOIBOS", "Rooibos with orange", "Without caffeine, with orange peel, 100 g.", 1090, 0),
    Product("CAN-FIG", "Scented candle, fig tree", "Soy wax, burns for 45 hours.", 2900, 19),
    Product("CAN-AMBER", "Scented candle, amber", "Soy wax, burns for 45 hours.", 2900, 7),
    Product("CAN-TAPER", "Taper candles, box of six", "Beeswax, 25 cm, burn for 8 hours each.", 1680, 26),
    Product("HOLD-BRASS", "Candle holder, brass", "Brushed brass, for taper candles.", 2200, 9),
    Product("LIN-NAPKIN", "Linen napkins, set of four", "Washed linen from Normandy, 45 × 45 cm.", 4200, 12),
    Product("LIN-CLOTH", "Linen tablecloth", "Washed linen from Normandy, 150 × 250 cm.", 11900, 4),
    Product("LIN-TOWEL", "Tea towels, set of two", "Cotton and linen, striped.", 1850, 33),
    Product("BOARD-OAK", "Cutting board, oak", "40 × 25 cm, oiled, from the Vosges.", 3600, 8),
    Product("BOWL-OLIVE", "Salad bowl, olive wood", "28 cm, each with a grain of its own.", 5400, 2),
    Product("VASE-BLUE", "Vase, blue", "Stoneware, 22 cm, glazed by hand.", 4800, 5),
    Product("TRAY-RATTAN", "Tray, rattan", "38 cm, with handles.", 3200, 10),
    Product("GIFT-BOX", "Gift box, tea for two", "Two blue tea cups and 100 g of Earl Grey.", 5900, 6),
)


HOME = Item(SHIPPING, 1, 590)
PICKUP = Item(SHIPPING, 1, 390)


def orders(today: date) -> tuple[Order, ...]:
    """The orders of the last weeks, oldest first."""
    left, due = today - timedelta(days=2), today + timedelta(days=2)
    return (
        Order(
            "MC-1041", "Margaux Delorme", "margaux.delorme@example.net", "delivered", 24,
            (Item("Linen tablecloth", 1, 11900), HOME), "Colissimo 6A20418844107, delivered",
        ),
        Order(
            "MC-1042", "Emma Walsh", "emma.walsh@example.com", "delivered", 9,
            (Item("Tea cup, blue", 2, 2450), HOME), "DHL 00340434161094, delivered",
            "A birthday present for my sister, please no invoice in the parcel.",
        ),
        Order(
            "MC-1043", "Paul Mercier", "paul.mercier@example.fr", "in transit", 4,
            (Item("Teapot, cast iron", 1, 6900), Item("Sencha, loose leaf", 2, 1490), HOME),
            f"Colissimo 6C14877203456, left Lyon on {left.isoformat()}, expected on {due.isoformat()}",
            "Digicode 4512B, bâtiment du fond.",
        ),
        Order(
            "MC-1044", "Inês Almeida", "ines.almeida@example.org", "delivered", 12,
            (Item("Scented candle, fig tree", 3, 2900), PICKUP), "Mondial Relay 31889240, collected",
            refunded=((2900, "One candle arrived melted"),),
        ),
        Order(
            "MC-1045", "Jonas Weber", "jonas.weber@example.net", "in transit", 5,
            (Item("Salad bowl, olive wood", 1, 5400), HOME), f"DHL 00340434188213, left Lyon on {left.isoformat()}",
        ),
        Order(
            "MC-1046", "Claire Fontaine", "claire.fontaine@example.com", "delivered", 15,
            (Item("Gift box, tea for two", 1, 5900), PICKUP), "Mondial Relay 31890017, collected",
            "Emballage cadeau si possible, merci !",
        ),
        Order(
            "MC-1047", "Samuel Okafor", "samuel.okafor@example.org", "cancelled", 8,
            (Item("Vase, blue", 1, 4800), HOME), refunded=((5390, "Cancelled before it was sent"),),
        ),
        Order(
            "MC-1048", "Hélène Roux", "helene.roux@example.net", "preparing", 1,
            (Item("Linen napkins, set of four", 2, 4200), Item("Candle holder, brass", 2, 2200), HOME),
            note="Livraison après 18 h seulement.",
        ),
        Order(
            "MC-1049", "Emma Walsh", "emma.walsh@example.com", "preparing", 1,
            (Item("Earl Grey, loose leaf", 2, 1250), PICKUP),
        ),
        Order(
            "MC-1050", "Marco Bianchi", "marco.bianchi@example.com", "preparing", 1,
            (Item("Teapot, glass", 1, 3900), Item("Verbena from the Drôme", 3, 890), HOME),
        ),
        Order(
            "MC-1051", "Aïcha Benali", "aicha.benali@example.org", "preparing", 0,
            (Item("Taper candles, box of six", 4, 1680), PICKUP), note="Pour un mariage samedi en huit.",
        ),
        Order(
            "MC-1052", "Louis Garnier", "louis.garnier@example.net", "preparing", 0,
            (Item("Cutting board, oak", 1, 3600), Item("Tea towels, set of two", 1, 1850), HOME),
        ),
    )  # fmt: skip
