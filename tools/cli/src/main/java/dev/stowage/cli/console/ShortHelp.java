package dev.stowage.cli.console;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The text of {@code --help}, which fits on one screen: the common options with the first sentence
 * of each, and the first examples. {@code --help-all} shows all texts.
 */
public final class ShortHelp extends Help {

  /** The order of options that only {@code --help-all} lists. */
  public static final int RARE = 1;

  /** The option for all texts. The first command of a command line has it. */
  public static final String ALL = "--help-all";

  /** The description of the option for all texts. */
  public static final String ALL_DESCRIPTION = "Show all options, exit codes and examples.";

  private static final int EXAMPLE_LINES = 4;

  private ShortHelp(CommandSpec command, ColorScheme colors) {
    super(command, colors);
  }

  /** Selects the help that a command line asks for, in the command and in its subcommands. */
  public static void addTo(CommandLine commandLine) {
    commandLine.setHelpFactory((command, colors) -> of(command, colors));
  }

  private static Help of(CommandSpec command, ColorScheme colors) {
    return Boolean.TRUE.equals(command.root().findOption(ALL).getValue())
        ? new FullHelp(command, colors)
        : new ShortHelp(command, colors);
  }

  @Override
  public String synopsis(int headingLength) {
    return commandSpec().usageMessage().customSynopsis().length > 0
        ? customSynopsis()
        : abbreviatedSynopsis();
  }

  @Override
  public String optionList() {
    return optionListExcludingGroups(
        commandSpec().options().stream()
            .filter(option -> option.order() != RARE && !option.hidden())
            .map(ShortHelp::shortened)
            .toList());
  }

  private static OptionSpec shortened(OptionSpec option) {
    String[] sentences = String.join("\n", option.description()).split("(?<=\\.)[ \n]", 2);
    return sentences.length == 1
        ? option
        : OptionSpec.builder(option).description(sentences[0].split("\n")).build();
  }

  @Override
  public String exitCodeListHeading(Object... params) {
    return "";
  }

  @Override
  public String exitCodeList() {
    return "";
  }

  @Override
  public String footer(Object... params) {
    List<String> lines = Arrays.asList(commandSpec().usageMessage().footer());
    return String.join(
            System.lineSeparator(), lines.subList(0, Math.min(EXAMPLE_LINES, lines.size())))
        + System.lineSeparator();
  }

  /** All texts, with the options in the order of their declaration. */
  private static final class FullHelp extends Help {

    FullHelp(CommandSpec command, ColorScheme colors) {
      super(command, colors);
    }

    @Override
    public String optionList() {
      return optionList(createDefaultLayout(), null, parameterLabelRenderer());
    }
  }
}
