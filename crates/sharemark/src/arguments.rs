//! The command line's grammar. Values are taken as text here and understood where they are used, so that what is wrong
//! with them is said in the user's language.

use clap::{Arg, ArgAction, Command};
use sharemark_model::Profile;
use sharemark_report::{Value, Words};

/// The whole grammar, with its help in the words' language.
pub(crate) fn command(words: &Words) -> Command {
    let text = |id: &str| words.text(id);
    let bare = words.text("cli-about-bare");
    Command::new("sharemark")
        .version(env!("CARGO_PKG_VERSION"))
        .about(text("cli-about"))
        .after_help(bare)
        .help_template(template(words))
        .override_usage(format!("sharemark [{}] [{}]", text("cli-usage-options"), text("cli-usage-command")))
        .subcommand_help_heading(text("cli-heading-commands"))
        .disable_help_subcommand(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args_override_self(false)
        .arg(help(words))
        .arg(
            Arg::new("version")
                .long("version")
                .short('V')
                .action(ArgAction::Version)
                .display_order(903)
                .help(text("cli-option-version"))
                .help_heading(text("cli-heading-options")),
        )
        .arg(option("lang", "LANG", "cli-option-lang", words).global(true).display_order(900))
        .arg(
            flag("no-colour", "cli-option-no-colour", words)
                .alias("no-color")
                .global(true)
                .display_order(901),
        )
        .subcommand(run(words))
        .subcommand(
            subcommand("demo", "cli-demo", words)
                .arg(option("json", "FILE", "cli-option-json", words))
                .arg(option("csv", "FILE", "cli-option-csv", words))
                .arg(flag("quiet", "cli-option-quiet", words).short('q')),
        )
        .subcommand(subcommand("history", "cli-history", words).arg(history(words)).arg(with_default(
            option("limit", "N", "cli-option-limit", words),
            "20",
            words,
        )))
        .subcommand(
            subcommand("show", "cli-show", words)
                .arg(argument("id", "ID", "cli-argument-report", words))
                .arg(history(words))
                .arg(option("json", "FILE", "cli-option-json", words))
                .arg(option("csv", "FILE", "cli-option-csv", words)),
        )
        .subcommand(
            subcommand("compare", "cli-compare", words)
                .arg(argument("id", "ID", "cli-argument-first-report", words).required(true))
                .arg(argument("other", "OTHER", "cli-argument-other-report", words))
                .arg(history(words))
                .arg(option("json", "FILE", "cli-option-compare-json", words)),
        )
        .subcommand(target(words))
        .subcommand(access(
            subcommand("clean", "cli-clean", words).arg(argument(
                "target",
                "TARGET",
                "cli-argument-folder",
                words,
            )),
            words,
        ))
        .subcommand(subcommand("schema", "cli-schema", words))
}

fn run(words: &Words) -> Command {
    let quick = Profile::Quick.plan(0);
    let valued =
        |id, value, help, default: String| with_default(option(id, value, help, words), &default, words);
    let seconds = |time: sharemark_model::Nanoseconds| format!("{}s", time.0 / 1_000_000_000);
    let command = subcommand("run", "cli-run", words)
        .arg(argument("target", "TARGET", "cli-argument-target", words).required(true).num_args(1..))
        .arg(valued("profile", "NAME", "cli-option-profile", quick.profile.name().to_owned()))
        .arg(option("workload", "LIST", "cli-option-workload", words))
        .arg(valued("size", "SIZE", "cli-option-size", quick.size.to_string()))
        .arg(valued("block", "SIZE", "cli-option-block", quick.block.to_string()))
        .arg(valued("depth", "N", "cli-option-depth", quick.depth.to_string()))
        .arg(valued("files", "N", "cli-option-files", quick.files.to_string()))
        .arg(valued("mix", "NAME", "cli-option-mix", quick.file_mix.name().to_owned()))
        .arg(option("runs", "N", "cli-option-runs", words))
        .arg(valued("time", "TIME", "cli-option-time", seconds(quick.time_ns.unwrap_or_default())))
        .arg(valued("settle", "TIME", "cli-option-settle", seconds(quick.settle_ns)))
        .arg(valued("pause", "TIME", "cli-option-pause", seconds(quick.pause_ns)))
        .arg(valued("budget", "TIME", "cli-option-budget", seconds(quick.rounds.budget_ns)))
        .arg(valued("durability", "KIND", "cli-option-durability", quick.durability.name().to_owned()))
        .arg(valued("read-cache", "KIND", "cli-option-read-cache", quick.read_cache.name().to_owned()))
        .arg(valued("data", "KIND", "cli-option-data", quick.data.to_string()))
        .arg(valued("stall", "TIME", "cli-option-stall", seconds(quick.stall_ns)))
        .arg(option("baseline", "ID", "cli-option-baseline", words))
        .arg(option("json", "FILE", "cli-option-json", words))
        .arg(option("csv", "FILE", "cli-option-csv", words))
        .arg(history(words))
        .arg(flag("quiet", "cli-option-quiet", words).short('q'));
    connection(access(command, words), words)
}

/// Who asks, and whom to trust: the options of everything that connects to a share.
fn access(command: Command, words: &Words) -> Command {
    let guest = flag("guest", "cli-option-guest", words);
    command
        .arg(option("user", "NAME", "cli-option-user", words))
        .arg(option("credentials", "FILE", "cli-option-credentials", words))
        .arg(flag("ask-password", "cli-option-ask-password", words))
        .arg(guest.conflicts_with_all(["user", "credentials", "ask-password"]))
        .arg(option("key", "FILE", "cli-option-key", words))
        .arg(option("known-hosts", "FILE", "cli-option-known-hosts", words))
        .arg(option("ca-file", "FILE", "cli-option-ca-file", words))
}

/// What is wished of a connection that is measured.
fn connection(command: Command, words: &Words) -> Command {
    command
        .arg(with_default(option("connections", "N", "cli-option-connections", words), "1", words))
        .arg(option("smb-dialect", "VERSION", "cli-option-smb-dialect", words))
        .arg(option("smb-signing", "on|off", "cli-option-smb-signing", words))
}

fn target(words: &Words) -> Command {
    let name = || argument("name", "NAME", "cli-argument-name", words).required(true);
    let add = subcommand("add", "cli-target-add", words)
        .arg(name())
        .arg(argument("location", "LOCATION", "cli-argument-location", words).required(true))
        .arg(option("user", "NAME", "cli-option-user", words))
        .arg(option("credentials", "FILE", "cli-option-credentials", words))
        .arg(flag("save-password", "cli-option-save-password", words))
        .arg(option("key", "FILE", "cli-option-key", words))
        .arg(option("known-hosts", "FILE", "cli-option-known-hosts", words))
        .arg(option("ca-file", "FILE", "cli-option-ca-file", words))
        .arg(flag("force", "cli-option-force", words));
    subcommand("target", "cli-target", words)
        .subcommand_help_heading(words.text("cli-heading-commands"))
        .disable_help_subcommand(true)
        .subcommand(connection(add, words))
        .subcommand(subcommand("list", "cli-target-list", words))
        .subcommand(subcommand("remove", "cli-target-remove", words).arg(name()))
}

fn subcommand(name: &'static str, about: &str, words: &Words) -> Command {
    let usage = match name {
        "run" => format!("sharemark run [{}] TARGET...", words.text("cli-usage-options")),
        "show" => format!("sharemark show [{}] [ID]", words.text("cli-usage-options")),
        "compare" => format!("sharemark compare [{}] ID [OTHER]", words.text("cli-usage-options")),
        "clean" => format!("sharemark clean [{}] [TARGET]", words.text("cli-usage-options")),
        "target" => format!("sharemark target [{}]", words.text("cli-usage-command")),
        "add" => format!("sharemark target add [{}] NAME LOCATION", words.text("cli-usage-options")),
        "list" => format!("sharemark target list [{}]", words.text("cli-usage-options")),
        "remove" => format!("sharemark target remove [{}] NAME", words.text("cli-usage-options")),
        other => format!("sharemark {other} [{}]", words.text("cli-usage-options")),
    };
    Command::new(name)
        .about(words.text(about))
        .override_usage(usage)
        .help_template(template(words))
        .disable_help_flag(true)
}

fn template(words: &Words) -> String {
    format!("{{about}}\n\n{}: {{usage}}\n\n{{all-args}}{{after-help}}\n", words.text("cli-heading-usage"))
}

fn help(words: &Words) -> Arg {
    Arg::new("help")
        .long("help")
        .global(true)
        .short('h')
        .action(ArgAction::HelpShort)
        .display_order(902)
        .help(words.text("cli-option-help"))
        .help_heading(words.text("cli-heading-options"))
}

fn history(words: &Words) -> Arg {
    option("history", "FILE", "cli-option-history", words)
}

fn argument(id: &'static str, value: &'static str, help: &str, words: &Words) -> Arg {
    Arg::new(id).value_name(value).help(words.text(help)).help_heading(words.text("cli-heading-arguments"))
}

fn option(id: &'static str, value: &'static str, help: &str, words: &Words) -> Arg {
    Arg::new(id)
        .long(id)
        .value_name(value)
        .help(words.text(help))
        .help_heading(words.text("cli-heading-options"))
}

fn flag(id: &'static str, help: &str, words: &Words) -> Arg {
    Arg::new(id)
        .long(id)
        .action(ArgAction::SetTrue)
        .help(words.text(help))
        .help_heading(words.text("cli-heading-options"))
}

/// Shows the default in the help without setting it: what was typed has to be told from what was not, since a profile
/// brings defaults of its own.
fn with_default(argument: Arg, value: &str, words: &Words) -> Arg {
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let default = words.format("cli-default", &[("value", Value::from(value))]);
    argument.help(format!("{help} [{default}]"))
}

#[cfg(test)]
mod tests {
    use sharemark_report::Language;

    use super::*;

    #[test]
    fn the_grammar_is_sound_in_both_languages() {
        for language in [Language::English, Language::Japanese] {
            command(&Words::new(language)).debug_assert();
        }
    }
}
