package dev.stowage.cli.option;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.run.Diagnostics;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The other name of the option that limits memory, which a command takes with a note.
 *
 * <p>An arena has a {@code --capacity}, a device or a service a {@code --limit}. Help shows the one
 * that the command has.
 */
public final class OtherLimit {

  private static final String CAPACITY = "--capacity";
  private static final String LIMIT = "--limit";

  private OtherLimit() {}

  /** Adds the other name to a command that has one of the two. */
  public static void addTo(CommandSpec command) {
    add(command, command.optionsMap().get(CAPACITY), LIMIT);
    add(command, command.optionsMap().get(LIMIT), CAPACITY);
  }

  private static void add(CommandSpec command, @Nullable OptionSpec option, String other) {
    if (option == null || command.optionsMap().containsKey(other)) {
      return;
    }
    command.addOption(
        OptionSpec.builder(other)
            .hidden(true)
            .paramLabel(option.paramLabel())
            .type(Long.class)
            .converters(new ByteCountConverter())
            .setter(
                new ISetter() {
                  @Override
                  public <T> @Nullable T set(@Nullable T bytes) {
                    if (bytes != null) {
                      option.setValue(Optional.of(bytes));
                      note(command, option.longestName(), other);
                    }
                    return null;
                  }
                })
            .build());
  }

  private static void note(CommandSpec command, String option, String other) {
    String reason =
        option.equals(CAPACITY) ? "the limit of an arena" : "the limit of a device or a service";
    Diagnostics.of(command).report("note: %s is taken for %s, which is %s", other, option, reason);
  }
}
