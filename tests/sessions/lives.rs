//! Every path of the state machine, to every end, in two languages and both forms of input.

use super::{FINE, Life, Report};

/// What is said in a session.
struct Words {
    objective: &'static str,
    next_action: &'static str,
    questions: [&'static str; 2],
    answers: [&'static str; 2],
    risk: &'static str,
    unknown: &'static str,
    evidence: &'static str,
    criterion: &'static str,
    summary: &'static str,
}

const ENGLISH: Words = Words {
    objective: "Stream invoices into the ledger.",
    next_action: "Write the adapter.",
    questions: ["Who owns the nightly job?", "What aborts an import?"],
    answers: ["The platform team does.", "unknown: ask the platform team; the retry count depends on it"],
    risk: "The nightly job may read half-imported rows.",
    unknown: "Whether the staging table has other readers; search the jobs for it.",
    evidence: "src/import/stream.rs:42 reads one record at a time",
    criterion: "criterion: nothing unknown changes the next step",
    summary: "Write the adapter first.",
};

const CHINESE: Words = Words {
    objective: "将发票流式写入账本。",
    next_action: "编写适配器。",
    questions: ["夜间任务归谁负责？", "什么会中止导入？"],
    answers: ["平台团队负责。", "未知：请平台团队确认；重试次数取决于它"],
    risk: "夜间任务可能读到导入一半的行。",
    unknown: "暂存表是否还有其他读者，需检索任务。",
    evidence: "src/import/stream.rs:42 逐条读取",
    criterion: "criterion: 剩余未知不影响下一步",
    summary: "先编写适配器。",
};

/// How the last round of a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Ready,
    ReadyWithRisks,
    Asks,
    /// Its answers lead to COLLECTING, and then nobody wants another round.
    Stops,
}

fn asks(words: &Words, life: &mut Life, number: usize) {
    let risk = format!("{} ({number})", words.risk);
    let report = Report {
        status: "NEEDS_ANSWERS",
        questions: &words.questions,
        conflicts: &[],
        risks: &[&risk],
        unknowns: &[words.unknown],
        evidence: &[words.evidence],
    };
    let input = if number == 2 { report.json() } else { report.markdown(number) };
    life.step(&["audit"], &input, "NEEDS_ANSWERS");
}

fn answers(words: &Words, life: &mut Life, args: &[&str], status: &str) {
    life.step(args, &format!("- {}", words.answers.join("\n- ")), status);
}

fn live(words: &Words, rounds: usize, last: Last, terminal: &str) -> Life {
    let mut life = Life::begin(words.objective, words.next_action);
    for number in 1..rounds {
        asks(words, &mut life, number);
        answers(words, &mut life, &["answer"], "COLLECTING");
    }
    let nothing = Report {
        status: "READY",
        questions: &[],
        conflicts: &[],
        risks: &[],
        unknowns: &[],
        evidence: &[words.evidence],
    };
    match last {
        Last::Ready => life.step(&["audit"], &nothing.markdown(4), "REVIEW_PENDING"),
        Last::ReadyWithRisks => {
            let report = Report { status: "READY_WITH_RISKS", unknowns: &[words.unknown], ..nothing };
            life.step(&["audit"], &report.json(), "REVIEW_PENDING");
        }
        Last::Asks => {
            asks(words, &mut life, rounds);
            let stop: &[&str] = if rounds == 3 { &["answer"] } else { &["answer", "--stop"] };
            answers(words, &mut life, stop, "REVIEW_PENDING");
        }
        Last::Stops => {
            asks(words, &mut life, rounds);
            answers(words, &mut life, &["answer"], "COLLECTING");
            life.step(&["stop"], "", "REVIEW_PENDING");
        }
    }
    let risks: &[&str] = if terminal == "READY" { &[] } else { &[words.risk] };
    let evidence = [words.evidence, words.criterion];
    let review = Report { status: terminal, questions: &[], conflicts: &[], risks, unknowns: &[], evidence: &evidence };
    life.sandbox.write("summary.md", format!("- {}\n", words.summary));
    life.step(&["seal", "--summary", "summary.md"], &review.markdown(1), terminal);
    life
}

#[test]
fn every_path_leads_to_every_end() {
    for words in [&ENGLISH, &CHINESE] {
        for (rounds, last) in [
            (1, Last::Ready),
            (1, Last::ReadyWithRisks),
            (1, Last::Asks),
            (1, Last::Stops),
            (2, Last::Ready),
            (2, Last::Asks),
            (2, Last::Stops),
            (3, Last::ReadyWithRisks),
            (3, Last::Asks),
        ] {
            for terminal in ["READY", "READY_WITH_RISKS", "BLOCKED"] {
                let life = live(words, rounds, last, terminal);
                let text = life.text();
                assert_eq!(text.matches("\n### Round ").count(), rounds);
                assert!(text.contains(&format!("\n## Final Successor Summary\n- {}\n", words.summary)), "{text}");
            }
        }
    }
}

#[test]
fn what_a_round_finds_stands_in_its_sections_once() {
    let text = live(&ENGLISH, 3, Last::Asks, "READY_WITH_RISKS").text();
    let section =
        |title: &str| text.split(&format!("\n## {title}\n")).last().unwrap().split("\n## ").next().unwrap().to_owned();
    let risks: Vec<String> =
        section("Known Risks").lines().map(str::to_owned).filter(|line| !line.is_empty()).collect();
    let risk = |suffix: &str| format!("- {}{suffix}", ENGLISH.risk);
    assert_eq!(risks, [risk(" (1)"), risk(" (2)"), risk(" (3)"), risk("")]);
    let assumptions = section("Unverified Assumptions");
    assert_eq!(assumptions.matches(ENGLISH.unknown).count(), 1);
    assert_eq!(assumptions.matches(ENGLISH.answers[1]).count(), 1, "the same question and answer: {assumptions}");
    assert!(assumptions.contains(&format!("- {} — {}", ENGLISH.questions[1], ENGLISH.answers[1])));
    assert_eq!(section("Evidence").matches(ENGLISH.evidence).count(), 1);
    assert!(text.contains("## Blockers and Risks\n- The nightly job may read half-imported rows. (1)\n"), "{text}");
}

#[test]
fn a_step_takes_reason_evidence_and_updates_in_the_same_write() {
    let mut life = Life::begin(ENGLISH.objective, ENGLISH.next_action);
    asks(&ENGLISH, &mut life, 1);
    life.sandbox.write("answers.json", r#"["The platform team.", "A checksum mismatch."]"#);
    life.sandbox.write(
        "updates.md",
        "# TL;DR\n## Next Action\n- Retry twice.\n# Handoff Details\n## Decisions\n| Decision | Reason | Evidence | Confidence |\n\
         |---|---|---|---|\n| Retry twice | the owner says so | unverified | high |\n## Known Risks +\n- A third retry loses time.\n",
    );
    let evidence = ["--status-evidence", "command", "make answers", "the owner answered", "VERIFIED"];
    let args = [
        &["answer", "--from", "answers.json", "--updates", "updates.md", "--reason", "the owner answered"],
        &evidence[..],
    ];
    life.step(&args.concat(), "", "COLLECTING");
    let text = life.text();
    for part in [
        "status_reason: \"the owner answered\"\n",
        "  - kind: command\n    ref: \"make answers\"\n    claim: \"the owner answered\"\n    verification: VERIFIED\n",
        "## Next Action\n- Retry twice.\n",
        "| Retry twice | the owner says so | unverified | high |\n",
        "- The nightly job may read half-imported rows. (1)\n- A third retry loses time.\n",
        "#### Current Agent Answers\n- The platform team.\n- A checksum mismatch.\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_review_may_end_with_the_summary() {
    let mut life = Life::begin(ENGLISH.objective, ENGLISH.next_action);
    life.step(&["audit"], &FINE.markdown(2), "REVIEW_PENDING");
    life.step(&["seal"], &format!("{}\n## Final Successor Summary\n1. Begin.\n2. End.\n", FINE.markdown(2)), "READY");
    assert!(life.text().ends_with("## Final Successor Summary\n- Begin.\n- End.\n"), "{}", life.text());
}
