package dev.stowage.cli.budget;

import dev.stowage.budget.MemoryPart;
import dev.stowage.budget.PartSource;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The certainty of the bytes of a part for a class of processors. */
public enum PartConfidence {
  /** Follows from the model and from rules that were compared with the engine, or was measured. */
  EXACT,
  /** Follows from constants of another machine, from a simulation or from rules alone. */
  ESTIMATE;

  /** The parts that a simulation of the C library computes. */
  private static final Set<String> SIMULATED =
      Set.of("packing", "freed weights", "freed weights (sessions)");

  /**
   * {@return the confidence of a part}
   *
   * @param cpu the processor, if the budget depends on one
   * @param isOfEngine true if the rules are those of the engine in use
   */
  static PartConfidence of(MemoryPart part, Optional<CpuChoice> cpu, boolean isOfEngine) {
    boolean isExact =
        part.how() == PartSource.MEASURED
            || (part.how() == PartSource.COMPUTED
                && !SIMULATED.contains(part.name())
                && (part.name().equals(ShapeBudget.HEAP_PART)
                    || (isOfEngine && cpu.map(CpuChoice::isCompared).orElse(true))));
    return isExact ? EXACT : ESTIMATE;
  }

  /** {@return the name in files and reports} */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
