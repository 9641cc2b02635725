"""Programs that compute the weights and tables of the bots. They are not part of the package."""
