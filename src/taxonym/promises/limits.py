"""What no promise of a class can say, in plain words: the sentences that several promises share."""

COMMON_KNOWLEDGE = "What all persons of a class have in common is learnt by whoever knows that somebody is in it."
EXCLUSION = "Somebody who can exclude the other persons of a class by knowledge of his own finds the one who is left."
MEMBERSHIP = "Who took part is not hidden."
SEVERAL = "Two releases of the same persons, each of them sound, can single somebody out together."
MINIMALITY = (
    "Somebody who knows how the program chooses can exclude some originals: it tells as much as it may, so that what "
    "it did not tell was not held by enough persons, or was not near enough."
)


def false_persons(k: int) -> str:
    """What can be done by who adds persons of his own to the data."""
    return f"Whoever adds {k - 1} persons of his own to the data may know all of a class but the one who is left."


def false_writers(k: int, random: bool) -> str:
    """What can be done by who writes a phrase under several names."""
    if random:
        return (
            f"Whoever writes a phrase under names of his own can see whether one more person wrote it in 1 of {k + 1} "
            f"cases: every word and every concept has a secret threshold between {k} and {2 * k}."
        )
    return (
        f"Whoever writes a phrase under {k - 1} names of his own can see whether one more person wrote it: it is "
        f'published then. The setting threshold = "random" leaves that open in {k} of {k + 1} cases.'
    )


def more_items(m: int) -> str:
    """What is left to who knows more than the support rule assumes."""
    return f"Whoever knows {m + 1} or more items of somebody may find fewer persons with all of them, even one only."
