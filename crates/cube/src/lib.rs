//! Rubik's cube: domain, heuristics and the optimal solver cube-opt.
