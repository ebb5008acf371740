package dev.stowage.cli.run;

import dev.stowage.cli.text.ProductVersion;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The facts of a page that all commands have: the command line, the version and the input. */
public final class CommandFacts {

  private CommandFacts() {}

  /** {@return the facts of a command on a file, and the notes that it prints} */
  public static List<Fact> of(
      CommandSpec command, String input, String format, List<String> notes) {
    List<Fact> facts = of(command, List.of());
    facts.add(new Fact("input", input));
    facts.add(new Fact("format", format));
    notes.forEach(note -> facts.add(new Fact("note", note)));
    return facts;
  }

  /** {@return the facts of a command on several inputs, and the notes that it prints} */
  public static List<Fact> of(CommandSpec command, List<String> notes) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("command", commandLine(command)));
    facts.add(new Fact("version", "Stowage " + ProductVersion.find().orElse("(not packaged)")));
    notes.forEach(note -> facts.add(new Fact("note", note)));
    return facts;
  }

  /** {@return the command line, quoted so that a shell reads the same words} */
  private static String commandLine(CommandSpec command) {
    List<String> words = command.root().commandLine().getParseResult().originalArgs();
    return Stream.concat(Stream.of("stowage"), words.stream().map(ShellLine::word))
        .collect(Collectors.joining(" "));
  }
}
