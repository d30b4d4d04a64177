#!/usr/bin/env python3
"""Expected numbers of NutritionTests, worked out apart from the Swift code: python3 Tests/Reference/nutrition.py"""
from fractions import Fraction as F

eaten = dict(calories=F("1234.5"), protein=F("80.25"), carbs=F(150), fat=F(40))
oats = dict(calories=F(150), protein=F(5), carbs=F(27), fat=F(3))
targets = dict(calories=F(2000), protein=F(150), carbs=F(250), fat=F(65))
energy = dict(protein=4, carbs=4, fat=9)


def show(title, amounts):
    print(title)
    remaining = max(F(0), targets["calories"] - amounts["calories"])
    print("  calories", float(amounts["calories"]), "remaining", float(remaining), "cut", int(remaining),
          "progress", float(min(F(1), amounts["calories"] / targets["calories"])))
    total = sum(amounts[m] * energy[m] for m in energy)
    for m in energy:
        kcal = amounts[m] * energy[m]
        print(f"  {m}: grams {float(amounts[m])} progress {float(min(F(1), amounts[m] / targets[m]))!r}"
              f" remaining {float(max(F(0), targets[m] - amounts[m]))} calories {float(kcal)}"
              f" share {float(kcal / total) if total else 0!r}")


show("the session", eaten)
show("and 1.5 servings of oats", {k: eaten[k] + oats[k] * F("1.5") for k in eaten})
show("oats twice on a new day", {k: oats[k] * 2 for k in eaten})
