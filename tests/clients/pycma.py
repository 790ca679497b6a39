"""What pycma needs on four test functions, for the test of tuner/src/evolution/cma_es.rs.

pycma is N. Hansen's own CMA-ES. Here it minimises the sphere, an ellipsoid, Rosenbrock's function
and Rastrigin's, with 51 seeds each, and how many evaluations it took is printed: the figures are
constants of the Rust test, which runs the project's CMA-ES with the same settings. Only somebody
who wants the figures anew has to run this.

Settings are pycma's defaults but for `CMA_active`, which is off: the project's has no negative
weights. One default is not the tutorial's, which the project has: c_sigma is
(mu_eff + 2) / (n + mu_eff + 3) and 1/2 at most, where the tutorial has n + mu_eff + 5 and no most.

A run succeeds with the first evaluation below 1e-9; it fails once all evaluations of a generation
lie within 1e-11 of each other (pycma's `tolfun`), in another minimum, or after 200,000 evaluations.

The figures in the Rust test were printed by

    python3 -m venv venv && venv/bin/pip install cma==4.5.0 numpy==2.4.6
    venv/bin/python tests/clients/pycma.py

with Python 3.11.7.
"""

import math
import sys

import cma
import numpy

# A run has succeeded below.
TARGET = 1e-9
# A run has failed that is above, but no more apart than this, within a generation.
SETTLED = 1e-11
# A run has failed after so many evaluations.
MOST_EVALUATIONS = 200_000
SEEDS = range(1, 52)


def sphere(x):
    return sum(gene * gene for gene in x)


def rosenbrock(x):
    pairs = zip(x, x[1:])
    return sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in pairs)


def ellipsoid(x):
    # The longest axis is a thousand times the shortest.
    last = len(x) - 1
    return sum(10 ** (6 * i / last) * gene * gene for i, gene in enumerate(x))


def rastrigin(x):
    return sum(gene * gene - 10 * math.cos(2 * math.pi * gene) + 10 for gene in x)


# Name, function, dimensions, the mean of each at the beginning, sigma at the beginning, population.
CASES = [
    ("sphere", sphere, 10, 3.0, 2.0, 10),
    ("ellipsoid", ellipsoid, 10, 3.0, 2.0, 10),
    ("Rosenbrock", rosenbrock, 10, 0.0, 0.5, 10),
    ("Rastrigin", rastrigin, 5, 3.0, 2.0, 80),
]


def evaluations(function, dimensions, mean, sigma, population, seed):
    """How many it takes to succeed; None if it fails."""
    options = {
        "seed": seed,
        "popsize": population,
        "CMA_active": False,
        "verbose": -9,
    }
    strategy = cma.CMAEvolutionStrategy(dimensions * [mean], sigma, options)
    count = 0
    while count < MOST_EVALUATIONS:
        children = strategy.ask()
        costs = [function(child) for child in children]
        for cost in costs:
            count += 1
            if cost < TARGET:
                return count
        if max(costs) - min(costs) < SETTLED:
            return None
        strategy.tell(children, costs)
    return None


def main():
    print(f"Python {sys.version.split()[0]}, cma {cma.__version__}, numpy {numpy.__version__}")
    for name, function, dimensions, mean, sigma, population in CASES:
        settings = (function, dimensions, mean, sigma, population)
        counts = [evaluations(*settings, seed) for seed in SEEDS]
        good = sorted(count for count in counts if count is not None)
        low, median, high = numpy.quantile(good, [0.1, 0.5, 0.9]) if good else [math.nan] * 3
        print(
            f"{name}: n = {dimensions}, mean {mean}, sigma {sigma}, population {population}: "
            f"{len(good)} of {len(counts)} succeed; evaluations {low:.0f} / {median:.0f} / {high:.0f} "
            "(10 % quantile, median, 90 % quantile)"
        )


if __name__ == "__main__":
    main()
