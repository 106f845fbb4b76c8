//! Replays any solution on its own plain model of each puzzle; shares no code with the solvers.
