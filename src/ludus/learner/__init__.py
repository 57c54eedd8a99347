"""The learner: trains networks on windows of samples."""
