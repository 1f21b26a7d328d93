"""The planner by rules and the planner by model; `retrieval.planning.Planner` chooses between them."""
