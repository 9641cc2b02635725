"""Programs that compute the weights and tables of the bots. They are not part of the package.

Importing this fixes how NumPy multiplies matrices: in one thread, by instructions that x86 processors have had since
2009. Otherwise OpenBLAS would choose by processor and cores, and the last digits of the artefacts would depend on them.
"""

import os

os.environ.setdefault("OPENBLAS_CORETYPE", "Nehalem")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
