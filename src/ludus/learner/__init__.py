"""The learner: turns windows of samples into better networks."""
