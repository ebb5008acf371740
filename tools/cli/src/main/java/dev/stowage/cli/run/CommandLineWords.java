package dev.stowage.cli.run;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options that a user gave to a command, as words for another command line. */
public final class CommandLineWords {

  private CommandLineWords() {}

  /** {@return the words of some options, in the order of the command line} */
  public static List<String> words(CommandSpec command, Set<String> names) {
    return words(command, option -> names.contains(name(option)));
  }

  /** {@return the words of all options but some, in the order of the command line} */
  public static List<String> wordsWithout(CommandSpec command, Set<String> names) {
    return words(command, option -> !names.contains(name(option)));
  }

  private static List<String> words(CommandSpec command, Predicate<OptionSpec> isKept) {
    List<String> words = new ArrayList<>();
    // An option is in the list as often as it is given, each time with all its values.
    for (OptionSpec option :
        new LinkedHashSet<>(command.commandLine().getParseResult().matchedOptions())) {
      if (!isKept.test(option)) {
        continue;
      }
      if (option.arity().max() == 0) {
        words.add(name(option));
      } else {
        option.originalStringValues().forEach(value -> words.addAll(List.of(name(option), value)));
      }
    }
    return words;
  }

  /** {@return the first name of an option, for messages and command lines} */
  public static String name(OptionSpec option) {
    return option.names()[0];
  }
}
