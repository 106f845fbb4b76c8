//! What the command lines of all solvers share: common arguments, exit codes, progress bars, interruption.
