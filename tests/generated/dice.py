"""Random choices that leave a record of what was chosen."""
import random


class Dice:
    """A seeded source of choices; `features` says what a program consists of."""

    def __init__(self, seed):
        self.random = random.Random(str(seed))
        self.features = {}

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, options):
        """One of `options`: a sequence, or a dictionary of weights."""
        if isinstance(options, dict):
            names = list(options)
            return self.random.choices(names, [options[n] for n in names])[0]
        return self.random.choice(list(options))

    def feature(self, name, options):
        """Picks, and writes the choice down under `name`."""
        chosen = self.pick(options)
        self.note(name, chosen)
        return chosen

    def note(self, name, value):
        self.features.setdefault(name, [])
        if value not in self.features[name]:
            self.features[name].append(value)
