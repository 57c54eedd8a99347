"""The learner: trains networks on windows of samples."""

from ludus.system import limit_spinning

limit_spinning()
