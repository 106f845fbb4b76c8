//! The subcommands `completions SHELL` and `man`, made from the program's own arguments.

use crate::exit::Exit;
use crate::failure::Failure;
use clap::{CommandFactory, Subcommand};
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::PathBuf;

/// Subcommands that every program has. Flatten them into the program's own.
#[derive(Subcommand, Clone, Debug)]
pub enum Generate {
    /// Print the completion script of a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    Man {
        /// Write a page for the program and each subcommand into this directory instead
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

impl Generate {
    /// Writes the script or the page of the program `A`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn run<A: CommandFactory>(&self) -> Result<Exit, Failure> {
        match self {
            Generate::Man { dir: Some(dir) } => {
                clap_mangen::generate_to(A::command(), dir)
                    .map_err(|error| Failure::error(format_args!("{}: {error}", dir.display())))?;
            }
            _ => {
                let text = self.text::<A>().map_err(|error| Failure::output(&error))?;
                let mut out = io::stdout().lock();
                out.write_all(&text).and_then(|()| out.flush()).map_err(|error| Failure::output(&error))?;
            }
        }
        Ok(Exit::Done)
    }

    fn text<A: CommandFactory>(&self) -> io::Result<Vec<u8>> {
        let mut command = A::command();
        let mut text = Vec::new();
        match self {
            Generate::Completions { shell } => {
                let name = command.get_name().to_owned();
                clap_complete::generate(*shell, &mut command, name, &mut text);
            }
            Generate::Man { .. } => clap_mangen::Man::new(command).render(&mut text)?,
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// Solves.
    #[derive(Parser)]
    #[command(name = "solver")]
    struct Program {
        #[command(subcommand)]
        _command: Generate,
    }

    #[test]
    fn scripts_and_pages_name_the_program() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = Generate::Completions { shell }.text::<Program>().unwrap();
            assert!(String::from_utf8(script).unwrap().contains("solver"));
        }
        let page = Generate::Man { dir: None }.text::<Program>().unwrap();
        assert!(String::from_utf8(page).unwrap().contains(".TH solver"));
    }
}
