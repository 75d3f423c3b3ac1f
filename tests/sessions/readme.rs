//! The session that the README shows, run as it stands there.

use std::fs;
use std::path::Path;

use crate::sandbox::{GUARD, Sandbox};

/// The commands of the block, each with its input lines and the output that is shown.
fn shown() -> Vec<(String, Vec<String>)> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let section = page.split("## A whole session\n").nth(1).unwrap();
    let block = section.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_input = false;
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            is_input = command.ends_with("<<'END'");
            commands.push((command.to_owned(), Vec::new()));
        } else if is_input {
            let (command, _) = commands.last_mut().unwrap();
            command.push('\n');
            command.push_str(line);
            is_input = line != "END";
        } else {
            commands.last_mut().unwrap().1.push(line.to_owned());
        }
    }
    commands
}

/// True when the text is the lines; `…` stands for anything in a line, and alone for any lines.
fn agrees(text: &str, lines: &[String]) -> bool {
    let mut rest = text;
    for line in lines.iter().filter(|line| *line != "…") {
        for part in line.split('…') {
            match rest.find(part) {
                Some(at) => rest = rest.get(at + part.len()..).unwrap(),
                None => return false,
            }
        }
    }
    true
}

#[test]
fn the_session_of_the_readme_runs_as_it_is_shown() {
    let sandbox = Sandbox::new();
    let folder = Path::new(GUARD).parent().unwrap();
    let path = std::env::join_paths([folder, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    let mut steps = 0;
    for (command, lines) in shown() {
        let output = sandbox.command("sh").env("PATH", &path).args(["-c", &command]).assert().get_output().clone();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(agrees(&text, &lines), "{command}\n{text}");
        assert!(!lines.is_empty() || text.is_empty(), "{command}\n{text}");
        steps += 1;
    }
    assert!(steps > 8, "{steps}");
    sandbox.guard("check .").assert().code(0);
}
