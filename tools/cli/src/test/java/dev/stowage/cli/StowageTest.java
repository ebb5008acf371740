package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

final class StowageTest {

  @Test
  void run_help_printsTheCommandsAndExits0() {
    CommandRun run = CommandRun.of("--help");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith("Usage: stowage ")
        .contains("\n  plan ", "\n  generate-completion ", "--help-all");
    assertThat(CommandRun.of("--help-all").out())
        .contains("\n  plan ", "--debug", "Exit codes:", "  0          done");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "plan", "budget", "check", "rewrite", "explain", "replay", "tune", "diff", "verify",
        "devices", "who"
      })
  void run_helpOfACommand_fitsOnOneScreen(String command) {
    Stream<String> words = Stream.of(command, "--help").filter(word -> !word.isEmpty());
    CommandRun run = CommandRun.of(words.toArray());

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .contains("--help-all", "-h, --help", "Examples:")
        .doesNotContain("--debug", "Exit codes:");
    assertThat(run.out().lines()).hasSizeLessThanOrEqualTo(40);
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void run_helpAllOfACommand_namesEveryOption() {
    CommandRun run = CommandRun.of("plan", "--help-all");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .startsWith("Usage: stowage plan ")
        .contains(
            "--strategy=S",
            "--kind=K",
            "--alignment=N",
            "--io",
            "--limit, --capacity=BYTES",
            "--time-limit=SECONDS",
            "--explain",
            "--format=F",
            "--output=PATH",
            "One of NAIVE, EQUALITY, GREEDY_IN_ORDER,",
            "--debug",
            "Exit codes:",
            "stowage plan *.tflite --format json");
  }

  @Test
  void manual_ofAllCommands_hasThoseOfTheHelp() {
    String help = CommandRun.of("--help").out();
    String commands = help.substring(help.indexOf("Commands:"), help.indexOf("Examples:"));
    List<String> listed =
        Pattern.compile("(?m)^  ([a-z-]+) ")
            .matcher(commands)
            .results()
            .map(name -> name.group(1))
            .toList();

    assertThat(
            new CommandLine(new ManualCommand())
                .getSubcommands().values().stream()
                    .map(CommandLine::getCommandSpec)
                    .filter(command -> !command.usageMessage().hidden())
                    .map(CommandSpec::name))
        .containsExactlyElementsOf(listed);
  }

  @Test
  void run_version_isOneLine() {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).matches("stowage \\S.*\\n");
    assertThat(CommandRun.of("plan", "--version").out()).isEqualTo(run.out());
  }

  @Test
  void run_generateCompletion_isAScriptThatKnowsStrategies() {
    CommandRun run = CommandRun.of("generate-completion");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .startsWith("#!/usr/bin/env bash\n")
        .contains(
            "\"GREEDY_BY_SIZE\"", "--capacity", "--help-all", "complete -F _complete_stowage");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "``;the command is missing, expected one such as plan",
        "`frobnicate`;`'frobnicate' is no command, expected one such as plan; stowage --help lists them`",
        "plan;Missing required parameter: 'FILE'",
        "plan x.csv --bogus%s;Unknown option: '--bogus%s'",
        "plan x.csv -x.csv;Unknown option: '-x.csv'",
        "plan x.csv --kind %n;Invalid value for option '--kind': expected one of"
            + " [offsets, objects, both] (case-insensitive) but was '%n'",
        "plan x.csv --format xml;Invalid value for option '--format': expected one of"
            + " [table, json, csv] (case-insensitive) but was 'xml'",
        "plan x.csv --alignment 0;--alignment is 0, expected 1 or more bytes",
        "plan x.csv --capacity -1;Invalid value for option '--capacity':"
            + " '-1' is not a number of bytes, expected one such as 1048576, 64KiB or 9.25GB",
        "plan x.csv --capacity 1MiBit;Invalid value for option '--capacity':"
            + " '1MiBit' is not a number of bytes, expected one such as 1048576, 64KiB or 9.25GB",
        "plan x.csv --capacity 1.5;Invalid value for option '--capacity':"
            + " '1.5' is not a number of bytes, expected one such as 1048576, 64KiB or 9.25GB",
        "plan x.csv --capacity MiB;Invalid value for option '--capacity':"
            + " 'MiB' is not a number of bytes, expected one such as 1048576, 64KiB or 9.25GB",
        "plan x.csv --capacity 9223372036854775808;Invalid value for option '--capacity':"
            + " '9223372036854775808' is too large, expected at most 2^63 - 1 bytes",
        "plan x.csv --alignment 8388608TiB;Invalid value for option '--alignment':"
            + " '8388608TiB' is too large, expected at most 2^63 - 1 bytes",
        "plan x.csv --time-limit 0;Invalid value for option '--time-limit':"
            + " '0' is not a time above 0, expected seconds such as 10 or 0.5, or a time such as 10m or 1h",
        "plan x.csv --time-limit 0.0;Invalid value for option '--time-limit':"
            + " '0.0' is not a time above 0, expected seconds such as 10 or 0.5, or a time such as 10m or 1h",
        "plan x.csv --time-limit -1;Invalid value for option '--time-limit':"
            + " '-1' is not a time above 0, expected seconds such as 10 or 0.5, or a time such as 10m or 1h",
        "plan x.csv --time-limit 1e3;Invalid value for option '--time-limit':"
            + " '1e3' is not a time above 0, expected seconds such as 10 or 0.5, or a time such as 10m or 1h",
        "plan x.csv --time-limit 2d;Invalid value for option '--time-limit':"
            + " '2d' is not a time above 0, expected seconds such as 10 or 0.5, or a time such as 10m or 1h",
        "plan x.csv --strategy TFLM_GREEDY --kind objects;"
            + "`--strategy TFLM_GREEDY has no plans of --kind objects; omit one of the two`",
        "plan x.csv --explain --kind objects;"
            + "`--explain needs offsets, which --kind objects does not plan; omit it`",
        "plan x.csv --output plan.txt;--output is 'plan.txt',"
            + " expected a name that ends in .csv, .json, .html, .svg or .h",
        "plan x.csv y.csv --output p.csv;--output writes the plan of one FILE, but there are 2,"
            + " expected one .html file for all of them",
        "plan x.csv y.csv --output p.html --output q.html;--output writes the plan of one FILE, but"
            + " there are 2, expected one .html file for all of them",
        "diff x.csv y.csv --output p.csv;--output is 'p.csv', expected a name that ends in .html",
        "plan x.csv --kind objects --output p.csv;"
            + "`--output writes an offsets plan, which --kind objects does not plan; omit one of the two`"
      })
  void run_wrongCommandLine_exits2AndPrintsTheReason(String line, String message) {
    CommandRun run = CommandRun.of(line.isEmpty() ? new Object[0] : line.split(" ", -1));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("stowage: " + message + "\n").contains("Try 'stowage");
  }

  @Test
  void run_sweepWithoutFlink_exits2AndNamesTheScript() {
    CommandRun run = CommandRun.of("sweep", "models/", "--run", "plan", "--results", "out/");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .isEqualTo(
            "stowage: a sweep needs Apache Flink, which this download lacks; run ./stowage sweep in a"
                + " checkout of the repository\n");
  }

  @Test
  void run_unknownStrategy_exits2AndNamesThoseThatThereAre() {
    String names =
        Stream.of(MemoryStrategy.values()).map(Enum::name).collect(Collectors.joining(", "));

    assertThat(CommandRun.of("plan", "x.csv", "--strategy", "%d"))
        .isEqualTo(
            new CommandRun(
                ExitCode.USAGE,
                "",
                "stowage: Invalid value for option '--strategy' (S): '%%d' is no strategy, expected one of %s, all; repeat the option for several\nTry 'stowage plan --help'.\n"
                    .formatted(names)));
  }

  @ParameterizedTest
  @CsvSource({
    "@args.csv",
    "%s %d.csv",
    "with blank.csv",
    "UPPER.CSV",
    "-dash.csv",
    "größe-大小.csv",
    "a;b'c.csv"
  })
  void run_oddFileName_isANameLikeAnyOther(String name, @TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "id,lower,upper,size\na,0,1,5\n");

    CommandRun run = CommandRun.of("plan", "--format", "csv", "--", file);
    CommandRun missing = CommandRun.of("plan", "--", name);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).contains("\n" + file + ",NAIVE,offsets,5,5,true,");
    assertThat(missing.err()).isEqualTo("stowage: " + name + ": does not exist\n");
  }

  @Test
  void run_controlCharactersInAFileName_doNotReachTheTerminal(@TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("a\nb\u001b[31m.csv"), "");

    assertThat(CommandRun.of("plan", file).err())
        .isEqualTo(
            "stowage: %s/a?b?[31m.csv: is empty, expected a header with id, lower, upper and size\n"
                .formatted(folder));
  }
}
