package dev.stowage.cli.run;

import dev.stowage.cli.text.ProductVersion;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.RunFacts.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The facts of a page that all commands have: the command line, the version and the input. */
public final class CommandFacts {

  private CommandFacts() {}

  /** {@return the facts of a command on a file; callers can add facts on its options} */
  public static List<Fact> of(CommandSpec command, String input, String format) {
    List<Fact> facts = new ArrayList<>(of(command));
    facts.add(new Fact("input", input));
    facts.add(new Fact("format", format));
    return facts;
  }

  /** {@return the facts of a command on several inputs} */
  public static List<Fact> of(CommandSpec command) {
    return List.of(
        new Fact("command", commandLine(command)),
        new Fact("version", "Stowage " + ProductVersion.find().orElse("(not packaged)")));
  }

  /** {@return the run of a command on several inputs} */
  public static RunFacts run(CommandSpec command) {
    return RunFacts.none().withFacts(of(command));
  }

  /** {@return the command line, quoted so that a shell reads the same words} */
  private static String commandLine(CommandSpec command) {
    List<String> words = command.root().commandLine().getParseResult().originalArgs();
    return Stream.concat(Stream.of("stowage"), words.stream().map(ShellLine::word))
        .collect(Collectors.joining(" "));
  }
}
