package dev.stowage.fleet.item;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The commands that a sweep can run. */
public enum ItemCommand {
  /** Plans the memory of models and problems. */
  PLAN,
  /** Predicts the memory of services. */
  BUDGET,
  /** Replays traces. */
  REPLAY,
  /** Finds settings for traces. */
  TUNE;

  /** The nodes that the search of {@code plan} visits in about a second. */
  private static final String PLAN_NODES = "500000";

  /** The nodes of the plan with hindsight of {@code tune}. */
  private static final String TUNE_NODES = "20000";

  /**
   * {@return the command with a name; empty if there is none}
   *
   * @param name the name, in any case
   */
  public static Optional<ItemCommand> of(String name) {
    for (ItemCommand command : values()) {
      if (command.argument().equalsIgnoreCase(name)) {
        return Optional.of(command);
      }
    }
    return Optional.empty();
  }

  /** {@return the name on a command line} */
  public String argument() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@return true if the inputs are traces, false if they are models} */
  boolean readsTraces() {
    return this == REPLAY || this == TUNE;
  }

  /**
   * {@return options with a limit of nodes for searches, unless they have a limit}
   *
   * @param options the options of the user
   */
  public List<String> repeatable(List<String> options) {
    if (has("--time-limit", options) || has("--node-limit", options)) {
      return options;
    }
    boolean isSearched = this == PLAN ? hasSearch(options) : this == TUNE;
    if (!isSearched) {
      return options;
    }
    List<String> limited = new ArrayList<>(options);
    limited.add("--node-limit");
    limited.add(this == PLAN ? PLAN_NODES : TUNE_NODES);
    return limited;
  }

  /** {@return true if a search is among the strategies; plan rejects a limit if there is none} */
  private static boolean hasSearch(List<String> options) {
    List<String> strategies = values("--strategy", options);
    return strategies.isEmpty()
        || has("--reorder", options)
        || strategies.stream()
            .anyMatch(it -> it.equalsIgnoreCase("all") || it.equalsIgnoreCase("OPTIMAL"));
  }

  static boolean has(String name, List<String> options) {
    return options.stream().anyMatch(it -> it.equals(name) || it.startsWith(name + "="));
  }

  /** {@return the values of an option, written as two words or with an equals sign} */
  static List<String> values(String name, List<String> options) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < options.size(); i++) {
      String option = options.get(i);
      if (option.startsWith(name + "=")) {
        values.add(option.substring(name.length() + 1));
      } else if (option.equals(name) && i + 1 < options.size()) {
        values.add(options.get(i + 1));
      }
    }
    return values;
  }
}
