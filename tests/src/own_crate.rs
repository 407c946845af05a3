//! Crates outside of the workspace, with a path dependency, as a user has them.

use crate::cli::{self, Said};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A crate with one file; its folder is removed with it.
pub struct OwnCrate {
    folder: PathBuf,
    /// One for all editions and all runs: the dependencies are built once.
    target: PathBuf,
}

impl OwnCrate {
    /// A crate of this edition. `folder` is the build's folder for tests.
    pub fn new(folder: &str, edition: &str) -> OwnCrate {
        static N_MADE: AtomicUsize = AtomicUsize::new(0);
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let n = N_MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("own-crate-{}-{n}", std::process::id());
        let target = Path::new(folder).join("own_crate");
        let folder = cli::empty_folder(std::env::temp_dir().to_str().expect("text"), &name);
        let core = workspace.join("asset-core");
        let manifest = format!(
            "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n\n\
             [dependencies]\nasset-core = {{ path = {core:?} }}\n\n\
             [profile.dev]\ndebug = false\n\n[workspace]\n"
        );
        fs::create_dir(folder.join("src")).expect("a folder");
        fs::write(folder.join("Cargo.toml"), manifest).expect("written");
        fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).expect("copied");
        OwnCrate { folder, target }
    }

    /// Builds the crate with this `main.rs`. Returns the program's path.
    pub fn build(&self, main: &str) -> String {
        self.write(main);
        let cargo = self.cargo(&[]);
        assert_eq!(cargo.code, Some(0), "{}", cargo.stderr);
        self.program()
    }

    /// Gives the crate this `main.rs`.
    pub fn write(&self, main: &str) {
        fs::write(self.folder.join("src/main.rs"), main).expect("written");
    }

    /// Adds a program of its own to the crate.
    pub fn add(&self, name: &str, text: &str) {
        let folder = self.folder.join("src/bin");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(name).with_extension("rs"), text).expect("written");
    }

    /// Builds the crate as it stands, with these variables in the environment.
    pub fn cargo(&self, variables: &[(&str, &str)]) -> Said {
        self.cargo_build(&["--quiet"], variables)
    }

    /// Builds the crate as it stands, with these options and variables.
    pub fn cargo_build(&self, options: &[&str], variables: &[(&str, &str)]) -> Said {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--offline"]).args(options).current_dir(&self.folder);
        cargo.env("CARGO_TARGET_DIR", &self.target).env_remove("RUSTFLAGS");
        cargo.envs(variables.iter().copied()).output().expect("cargo starts").into()
    }

    /// The path of the program that was built last.
    pub fn program(&self) -> String {
        // A copy, since the next program gets the same name.
        let program = self.folder.join("own-program");
        fs::copy(self.target.join("debug/own"), &program).expect("the program");
        program.to_str().expect("text").to_owned()
    }
}

impl Drop for OwnCrate {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
