package dev.stowage.cli.conclusion;

import dev.stowage.cli.text.ShellLine;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The options of {@code stowage plan} for the next command.
 *
 * @param words the options that change plans, as words of a command line
 * @param isWritten true if this command has written its plan; the next command then does not write
 *     it
 */
public record NextPlanCommand(List<String> words, boolean isWritten) {

  public NextPlanCommand {
    words = List.copyOf(words);
  }

  /** {@return the command with more words} */
  Optional<String> with(String input, String... more) {
    return Optional.of(ShellLine.of("plan", input, words, more));
  }

  /** {@return the command that writes the plan to a file; empty if it is written} */
  Optional<String> writing(String input, String file) {
    return isWritten ? Optional.empty() : with(input, "--output", file);
  }

  boolean contain(String option) {
    return words.contains(option);
  }

  /** {@return the words of some options} */
  List<String> wordsOf(Set<String> options) {
    return IntStream.range(0, words.size())
        .filter(i ->
            options.contains(words.get(i))
                || (i > 0 && !words.get(i).startsWith("--") && options.contains(words.get(i - 1))))
        .mapToObj(words::get)
        .toList();
  }
}
