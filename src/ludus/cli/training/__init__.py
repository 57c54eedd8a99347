"""Commands that make models: estimate, train and look at a run; tune, enlarge, pack and export what came of it."""
