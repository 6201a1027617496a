"""A fleet of boats for hire."""

PRICES = {"canoe": 12, "kayak": 15, "raft": 40}


def price(boat, hours):
    total = PRICES[boat] * hours
    return total


def describe(boat, hours):
    cost = price(boat, hours)
    return f"{boat} for {hours} h: {cost} EUR"


if __name__ == "__main__":
    print(describe("kayak", 3))
