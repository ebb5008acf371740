package dev.stowage.cli.option;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option {@code --strategy} of {@code stowage plan}. */
public final class StrategyOption {

  private static final String ALL = "all";

  @Option(
      names = "--strategy",
      paramLabel = "S",
      description = {
        "A strategy, or all (default: all); repeatable.",
        "One of ${COMPLETION-CANDIDATES}.",
        "all skips slow strategies: MINCOSTFLOW above 1,000 records;",
        "OPTIMAL objects above 5,000; GREEDY_BEST and GREEDY_BY_SIZE objects",
        "above 20,000 records with 50 million pairs that are live at one task;",
        "GREEDY_BY_BREADTH above 20,000 with 200 million; TFLM_GREEDY and",
        "GREEDY_BY_SIZE offsets above 100,000 with 10 billion.",
        "With all, OPTIMAL has 1 second for each kind."
      },
      completionCandidates = Names.class,
      converter = Names.Converter.class)
  private List<String> names = List.of(ALL);

  /** The values of the option. */
  private static final class Names extends ArrayList<String> {

    private static final long serialVersionUID = 1L;

    Names() {
      for (MemoryStrategy strategy : MemoryStrategy.values()) {
        add(strategy.name());
      }
      add(ALL);
    }

    /** Reads a value, in capital or small letters. */
    private static final class Converter implements ITypeConverter<String> {

      @Override
      public String convert(String value) {
        Names names = new Names();
        return names.stream()
            .filter(value::equalsIgnoreCase)
            .findFirst()
            .orElseThrow(() ->
                new TypeConversionException(
                    Text.of(
                        "'%s' is no strategy, expected one of %s; repeat the option for several",
                        value, String.join(", ", names))));
      }
    }
  }

  /** {@return the values for a baseline, sorted; empty if only all is among them} */
  public String recorded() {
    SortedSet<String> sorted = new TreeSet<>(names);
    return sorted.equals(Set.of(ALL)) ? "" : String.join(" ", sorted);
  }

  /** {@return true if one of the values is all} */
  public boolean isAll() {
    return names.contains(ALL);
  }

  /** {@return the strategies that the option names} */
  public Set<MemoryStrategy> named() {
    Set<MemoryStrategy> named = EnumSet.noneOf(MemoryStrategy.class);
    names.stream()
        .filter(name -> !name.equals(ALL))
        .map(MemoryStrategy::valueOf)
        .forEach(named::add);
    return named;
  }
}
