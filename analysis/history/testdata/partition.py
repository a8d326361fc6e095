"""The reference of TestPartitionAgreesWithRuptures. Needs numpy and ruptures."""

import math

import numpy as np
import ruptures

y = np.array([math.sin(i * i) + 2 * (i // 30 % 2) + i // 75 for i in range(120)])
print(ruptures.version.__version__)
for least, penalty in [(1, 5), (1, 1), (3, 2), (3, 8)]:
    found = ruptures.Pelt(model="l2", min_size=least, jump=1).fit(y).predict(penalty)
    print(least, penalty, found[:-1])
